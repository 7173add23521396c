// A value that can be watched: the one way in which parts of the page hear of each other.
import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  watch(seen: (value: T, before: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const watchers = new Set<(value: T, before: T) => void>();
  const set = (next: T) => {
    if (Object.is(next, value)) return;
    const before = value;
    value = next;
    for (const seen of [...watchers]) seen(next, before);
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    watch: (seen) => {
      watchers.add(seen);
      return () => watchers.delete(seen);
    },
  };
}

// A part of a store's value inside a view; the view is drawn again when that part changes.
export function useStore<T, P>(store: Store<T>, pick: (value: T) => P): P {
  const [, redraw] = useState(0);
  const part = pick(store.get());
  useEffect(() => {
    let last = pick(store.get());
    if (!Object.is(last, part)) redraw((n) => n + 1);
    return store.watch((value) => {
      const next = pick(value);
      if (Object.is(next, last)) return;
      last = next;
      redraw((n) => n + 1);
    });
  }, [store]);
  return part;
}
