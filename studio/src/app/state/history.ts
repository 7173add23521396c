// One stack of commands for everything. A command is the value before and after it, with a name to show.
// Values share what did not change, so that keeping many of them is cheap.

export interface Step<T> {
  label: string;
  value: T;
}
export interface History<T> {
  past: Step<T>[]; // value: as it was before the step
  present: T;
  future: Step<T>[]; // value: as it is after the step
  open: string | null; // while a drag goes on: steps with this key become one
}

const longest = 500;

export function startHistory<T>(value: T): History<T> {
  return { past: [], present: value, future: [], open: null };
}

// `key` joins the steps of one drag: as long as it stays the same, they are undone together.
export function commit<T>(history: History<T>, label: string, value: T, key: string | null = null): History<T> {
  if (Object.is(value, history.present)) return history;
  if (key !== null && key === history.open) return { ...history, present: value, future: [] };
  const past = [...history.past, { label, value: history.present }].slice(-longest);
  return { past, present: value, future: [], open: key };
}

export function closeStep<T>(history: History<T>): History<T> {
  return history.open === null ? history : { ...history, open: null };
}

export function undo<T>(history: History<T>): History<T> {
  const step = history.past.at(-1);
  if (!step) return history;
  const future = [{ label: step.label, value: history.present }, ...history.future];
  return { past: history.past.slice(0, -1), present: step.value, future, open: null };
}

export function redo<T>(history: History<T>): History<T> {
  const step = history.future[0];
  if (!step) return history;
  const past = [...history.past, { label: step.label, value: history.present }];
  return { past, present: step.value, future: history.future.slice(1), open: null };
}
