// Opening: files that were dropped, picked or given to `sinew studio`, and the samples.
// A character starts new work; motions are put on the character that is there.
import { change, firstWork, lastFailure, sentence, takeWork, theCore, work } from './app.ts';
import { addFiles, ending, isCharacterFile, isMotionFile, isWorkFile, openable, putFiles, type OpenedFile } from './files.ts';
import { openSampleDocument } from './samples.ts';
import { made, say, setView } from './view.ts';
import { motionNamed, newWork, type MotionChoice, type Source } from './work.ts';
import { readWorkFile } from '../save/work_file.ts';

const largest = 1 << 30; // bytes; more does not fit into the core's memory with what is made of it

export function pickFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = openable;
  input.addEventListener('change', () => void openFiles([...(input.files ?? [])]));
  input.click();
}

export async function openFiles(files: File[]): Promise<void> {
  const tooLarge = files.find((f) => f.size > largest);
  if (tooLarge) return say(`${tooLarge.name} has ${(tooLarge.size / 2 ** 30).toFixed(1)} GB; the page takes files up to 1 GB. Reduce it, or use the command line: sinew animate.`, 'bad');
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

async function openRead(read: { name: string; bytes: Uint8Array }[]): Promise<void> {
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
    await openCharacter({ sample: name }, name, []);
  } catch (error) {
    say(sentence(error), 'bad');
  }
}

// The file that `sinew studio FILE` was started with; false on a plain host.
export async function openFromServer(): Promise<boolean> {
  const list = await fetch('api/files').catch(() => null);
  if (!list?.ok || !list.headers.get('content-type')?.includes('json')) return false;
  const { files, open } = (await list.json()) as { files: { name: string; size: number }[]; open: string | null };
  if (!open) return false;
  const folder = open.includes('/') ? open.slice(0, open.lastIndexOf('/') + 1) : '';
  const near = files.filter((f) => f.name === open || (f.name.startsWith(folder) && needed(open, f.name)));
  const read = await Promise.all(near.map(async (f) => ({ name: f.name, bytes: await serverFile(f.name) })));
  try {
    await openRead(read);
  } catch (error) {
    say(sentence(error), 'bad');
  }
  if (!made.get()) await firstWork();
  return true;
}

// Files that a character may refer to.
function needed(main: string, other: string): boolean {
  const parts: Record<string, string[]> = { obj: ['mtl', 'png', 'jpg', 'jpeg'], gltf: ['bin', 'png', 'jpg', 'jpeg'], amc: ['asf'] };
  return parts[ending(main)]?.includes(ending(other)) ?? false;
}

async function serverFile(name: string): Promise<Uint8Array> {
  const answer = await fetch(`api/file/${name.split('/').map(encodeURIComponent).join('/')}`);
  if (!answer.ok) throw new Error(`${name} could not be read from the folder of the studio`);
  return new Uint8Array(await answer.arrayBuffer());
}
