// The one place where the work changes: commands in, a new character out.
// Data flow: views → change() → history → maker (core) → `made` → stage and panels.
import { Core, CoreError } from '../../core/client.ts';
import { clock } from '../time/clock.ts';
import { fileNames, forgetPut } from './files.ts';
import { closeStep, commit, redo, startHistory, undo, type History } from './history.ts';
import { Maker } from './maker.ts';
import { createStore } from './store.ts';
import { dismissErrors, job, made, pending, say, setView, view, whilePending } from './view.ts';
import { firstChoices, isPrepared } from './samples.ts';
import { withEdit, type Work } from './work.ts';

export const history = createStore<History<Work>>(startHistory(firstChoices()));
export const work = () => history.get().present;

let core: Core;
let maker: Maker;
export const theCore = () => core;

// Resolves when the core is there; what is asked of it before waits.
export function startCore(): Promise<void> {
  core = new Core({ base: new URL('core/', document.baseURI) });
  maker = new Maker(core);
  core.onrestart = (why) => why === 'crashed' && void bringBack();
  return core.ready;
}

// After the core was replaced it may know less than the page: all is made again from the files that the page holds.
async function bringBack(): Promise<void> {
  while (pending.get() > 0) await new Promise<void>((resolve) => {
    const stop = pending.watch(() => {
      stop();
      resolve();
    });
  });
  maker.forgetAll();
  forgetPut();
  if (await remake('Bringing the work back')) say('The core met an error in itself or ran out of memory, and was started again. Your work is back as it was.');
}

// Why the last work could not be made: a code of the core; empty when it could.
let failure = '';
export const lastFailure = () => failure;

export function sentence(error: unknown): string {
  if (error instanceof CoreError) return firstUpper(error.text || error.message);
  return firstUpper(error instanceof Error ? error.message : String(error));
}
// A sentence, whatever the words were; the name of a file at its beginning stays as it is.
function firstUpper(text: string): string {
  const word = /^[a-z]+(?=[ ,])/.test(text);
  const upper = word ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

let running: AbortController | null = null;
const showAfter = 250; // milliseconds; shorter jobs show no progress

// Runs a long job with progress and cancel. A newer job replaces the one that is running.
export const runJob: typeof asJob = (title, run) => whilePending(() => asJob(title, run));
async function asJob<T>(title: string, run: (watching: { progress: (stage: string, fraction: number) => void; signal: AbortSignal }) => Promise<T>): Promise<T> {
  running?.abort();
  core.endWarmUp(); // the machine is the job's now
  const mine = new AbortController();
  running = mine;
  let stage = '';
  let fraction = 0;
  const show = () => running === mine && job.set({ title, stage, fraction, cancel: () => mine.abort() });
  const timer = setTimeout(show, showAfter);
  const progress = (s: string, f: number) => {
    stage = s;
    fraction = f;
    if (job.get()) show();
  };
  try {
    return await run({ progress, signal: mine.signal });
  } finally {
    clearTimeout(timer);
    if (running === mine) {
      running = null;
      job.set(null);
    }
  }
}

// Makes the character of the present work. Where that fails, the work goes back to what could be made.
function remake(title: string): Promise<boolean> {
  return whilePending(() => make(title));
}
async function make(title: string): Promise<boolean> {
  const wanted = work();
  try {
    const next = await asJob(title, (watching) => maker.make(wanted, watching));
    if (work() !== wanted) return true;
    const before = made.get();
    const clips = next.state.info.clips.length;
    if (view.get().clip >= clips) setView({ clip: 0 });
    if (before && view.get().joint && !next.state.info.joints.some((j) => j.name === view.get().joint)) setView({ joint: null });
    failure = '';
    made.set(next);
    clock.setDuration(next.state.info.clips[view.get().clip]?.duration ?? 0);
    return true;
  } catch (error) {
    if (work() !== wanted) return false;
    history.update((h) => ({ ...undo(h), future: [] }));
    failure = error instanceof CoreError ? error.code : 'unknown';
    if (failure !== 'cancelled') say(sentence(error), 'bad');
    return false;
  }
}

// The document to write as a file of some ending. A prepared sample has weights as its file keeps them, which differ in the
// last bit from those it was made with: other formats than its own get the latter, as from the command line.
export async function documentFor(ending: string): Promise<number | undefined> {
  const shown = made.get()?.document;
  if (ending === 'glb' || shown === undefined || work().edits.length > 0 || !isPrepared(work())) return shown;
  return (await runJob(`Saving ${ending.toUpperCase()}`, (watching) => maker.make(work(), watching, true))).document;
}

// `key` joins the steps of one drag into one.
export function change(label: string, next: Work, key: string | null = null): Promise<boolean> {
  dismissErrors();
  const before = work();
  history.update((h) => commit(h, label, next, key));
  return work() === before ? Promise.resolve(true) : remake(label);
}
export function changeEdit(op: string, label: string, args: Record<string, unknown>): Promise<boolean> {
  return change(label, withEdit(work(), op, label, args));
}
export function endDrag(): void {
  history.update(closeStep);
}

export function undoStep(): void {
  const step = history.get().past.at(-1);
  if (!step) return;
  history.update(undo);
  void remake(`Undo: ${step.label}`);
}
export function redoStep(): void {
  const step = history.get().future[0];
  if (!step) return;
  history.update(redo);
  void remake(`Redo: ${step.label}`);
}

// A work from elsewhere: the kept copy or a file. Its own past is not kept.
export async function takeWork(next: Work): Promise<boolean> {
  history.set(startHistory(next));
  const done = await remake('Opening');
  return done;
}
export async function firstWork(): Promise<void> {
  await remake('Making the sample walk');
}

export function sourceName(of: Work): string {
  return 'sample' in of.source ? `${of.source.sample}.glb` : (fileNames.get(of.source.file) ?? 'character.glb');
}

export function selectClip(index: number): void {
  setView({ clip: index });
  clock.setDuration(made.get()?.state.info.clips[index]?.duration ?? 0);
}
export const clipName = () => made.get()?.state.info.clips[view.get().clip]?.name ?? '';
