// Opening: files that were dropped, picked or given to `sinew studio`, and the samples.
// A character starts new work; motions are put on the character that is there.
import { change, lastFailure, sentence, takeWork, theCore, work } from './app.ts';
import { addFiles, ending, isCharacterFile, isMotionFile, isWorkFile, openable, putFiles, type OpenedFile } from './files.ts';
import { openSampleDocument } from './samples.ts';
import { made, say, setView, whilePending } from './view.ts';
import { motionNamed, newWork, type MotionChoice, type Source } from './work.ts';
import { readWorkFile } from '../save/work_file.ts';

const largest = 1 << 30; // bytes; more does not fit into the core's memory with what is made of it

// One for the whole visit: an input that nothing holds may be gone before its dialog has opened.
let chooser: HTMLInputElement | null = null;
function fileChooser(): HTMLInputElement {
  if (chooser) return chooser;
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = openable;
  input.addEventListener('change', () => void openFiles([...(input.files ?? [])]));
  return (chooser = input);
}
export function pickFiles(): void {
  const input = fileChooser();
  input.value = ''; // the same file once more is a choice too
  input.click();
  theCore().warmUp();
}

// Says so where a file does not fit.
export function isTooLarge(files: { name: string; size: number }[]): boolean {
  const file = files.find((f) => f.size > largest);
  if (file) say(`${file.name} has ${(file.size / 2 ** 30).toFixed(1)} GB; the page takes files up to 1 GB. Reduce it, or use the command line: sinew animate.`, 'bad');
  return file !== undefined;
}

export const openFiles = (files: File[]): Promise<void> => whilePending(() => openAll(files));
async function openAll(files: File[]): Promise<void> {
  performance.mark('sinew-dropped'); // for the benchmark
  if (isTooLarge(files)) return;
  const work = files.find((f) => isWorkFile(f.name));
  try {
    if (work) return void (await openWork(work));
    const read = await Promise.all(files.map(async (f) => ({ name: f.webkitRelativePath || f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));
    await openRead(read);
  } catch (error) {
    say(sentence(error), 'bad');
  }
}

async function openWork(file: File): Promise<void> {
  await takeWork(await readWorkFile(file));
}

export async function openRead(read: { name: string; bytes: Uint8Array }[]): Promise<void> {
  const opened = addFiles(read);
  const { character, motions } = sorted(opened);
  if (!character && motions.length === 0) {
    const names = opened.map((f) => f.name).join(', ');
    return say(`${names}: no character and no motion. Open .glb, .gltf, .vrm, .fbx or .obj for a character, .bvh, .amc or .vrma for a motion.`, 'bad');
  }
  if (character) await openCharacter({ file: character.id }, character.name, motions);
  else await addMotions(motions);
}

// The largest file that can be a character is it; other files with joints are motions for it.
export function sorted(opened: OpenedFile[]): { character: OpenedFile | null; motions: OpenedFile[] } {
  const bodies = opened.filter((f) => isCharacterFile(f.name)).sort((a, b) => b.bytes.length - a.bytes.length);
  const motions = opened.filter((f) => isMotionFile(f.name) && ending(f.name) !== 'asf');
  return { character: bodies[0] ?? null, motions: [...motions, ...bodies.slice(1)] };
}

async function addMotions(motions: OpenedFile[]): Promise<void> {
  const names = motions.map((m) => m.name);
  setView({ clip: 0 }); // they come in front
  await change(`Add ${names.join(', ')}`, { ...work(), motions: [...names.map(motionNamed), ...work().motions] });
}

async function openCharacter(source: Source, name: string, motions: OpenedFile[]): Promise<void> {
  const chosen: MotionChoice[] = motions.map((m) => motionNamed(m.name));
  const label = `Open ${name}`;
  if (chosen.length > 0) return void (await change(label, newWork(source, chosen)));
  const state = await look(source, name);
  if (state.info.clips.length > 0) return void (await change(label, newWork(source, [])));
  const first = state.motions[0] ?? 'walk';
  if (await change(label, newWork(source, [motionNamed(first)]))) return;
  if (state.rigged || lastFailure() === 'cancelled' || lastFailure() === 'crashed') return;
  await openWithoutWalk(source, label);
}

// A bare mesh that does not walk, as a fish: what it is shows only once it is rigged, and then which motions it has.
async function openWithoutWalk(source: Source, label: string): Promise<void> {
  if (!(await change(label, newWork(source, [])))) return;
  const first = made.get()?.state.motions[0];
  if (first) await change(`Add ${first}`, { ...work(), motions: [motionNamed(first)] });
}

// What a file is, before the work with it starts.
async function look(source: Source, name: string) {
  const core = theCore();
  if ('sample' in source) {
    const { id, state } = await openSampleDocument(core, source.sample);
    void core.call('close', { id });
    return state;
  }
  await putFiles(core, [source.file]);
  const { id, state } = await core.call('open', { file: name });
  void core.call('close', { id });
  return state;
}

export async function openSample(name: string): Promise<void> {
  try {
    await whilePending(() => openCharacter({ sample: name }, name, []));
  } catch (error) {
    say(sentence(error), 'bad');
  }
}
