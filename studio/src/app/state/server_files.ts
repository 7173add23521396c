// The files of the folder that `sinew studio` was started with. On a plain host there are none.
import { firstWork, sentence, takeWork } from './app.ts';
import { allFiles, ending, isCharacterFile, isMotionFile } from './files.ts';
import { isTooLarge, openRead } from './open.ts';
import { createStore } from './store.ts';
import { made, say } from './view.ts';
import type { Work } from './work.ts';

export interface ServerFile {
  name: string;
  size: number;
}
export const serverFiles = createStore<ServerFile[]>([]);
export const isOpenable = (file: ServerFile) => isCharacterFile(file.name) || (isMotionFile(file.name) && ending(file.name) !== 'asf');

interface Folder {
  files: ServerFile[];
  open: string | null;
}
export async function serverFolder(): Promise<Folder | null> {
  const list = await fetch('api/files').catch(() => null);
  if (!list?.ok || !list.headers.get('content-type')?.includes('json')) return null;
  const folder = (await list.json()) as Folder;
  serverFiles.set(folder.files);
  return folder;
}

// Opens the file that the studio was started with; false where there is none. Work on that same file goes on.
export async function openFromServer(folder: Folder | null, kept: Work | null): Promise<boolean> {
  const file = folder?.files.find((f) => f.name === folder.open);
  if (!file) return false;
  if (kept && isWorkOn(kept, file) && (await takeWork(kept))) return true;
  await openServerFile(file);
  if (!made.get()) await firstWork();
  return true;
}

function isWorkOn(kept: Work, file: ServerFile): boolean {
  const { source } = kept;
  return 'file' in source && allFiles().files.some((f) => f.id === source.file && f.name === file.name && f.bytes.length === file.size);
}

export async function openServerFile(file: ServerFile): Promise<void> {
  try {
    const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
    const near = serverFiles.get().filter((f) => f.name === file.name || (f.name.startsWith(folder) && mayNeed(file.name, f.name)));
    if (isTooLarge(near)) return;
    await openRead(await Promise.all(near.map(async ({ name }) => ({ name, bytes: await bytesOf(name) }))));
  } catch (error) {
    say(sentence(error), 'bad');
  }
}

// Files that a character or a motion may refer to.
const parts: Record<string, string[]> = { obj: ['mtl', 'png', 'jpg', 'jpeg', 'webp'], gltf: ['bin', 'png', 'jpg', 'jpeg', 'webp'], amc: ['asf'] };
function mayNeed(main: string, other: string): boolean {
  return parts[ending(main)]?.includes(ending(other)) ?? false;
}

async function bytesOf(name: string): Promise<Uint8Array> {
  const answer = await fetch(`api/file/${name.split('/').map(encodeURIComponent).join('/')}`);
  if (!answer.ok) throw new Error(`${name} could not be read from the folder of the studio`);
  return new Uint8Array(await answer.arrayBuffer());
}
