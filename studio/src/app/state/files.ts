// The bytes of opened files, by an id that the work refers to. They stay in the page; the core gets a copy when it
// needs one.
import type { Core } from '../../core/client.ts';
import { newId } from './work.ts';

export const fileNames = new Map<string, string>();
const fileBytes = new Map<string, Uint8Array>();
const beside = new Map<string, string[]>(); // files that came together: a mesh finds its textures there
let inCore = new WeakMap<Core, Set<string>>();

export interface OpenedFile {
  id: string;
  name: string;
  bytes: Uint8Array;
}

// Files that were dropped together see each other.
export function addFiles(files: { name: string; bytes: Uint8Array }[]): OpenedFile[] {
  const opened = files.map((file) => ({ id: newId(), ...file }));
  keepFiles(opened, opened.map((file) => file.id));
  return opened;
}

export function keepFiles(files: OpenedFile[], together: string[]): void {
  for (const file of files) {
    fileNames.set(file.id, file.name);
    fileBytes.set(file.id, file.bytes);
    beside.set(file.id, together);
  }
}

export function allFiles(): { files: OpenedFile[]; together: string[][] } {
  const files = [...fileNames].map(([id, name]) => ({ id, name, bytes: fileBytes.get(id)! }));
  return { files, together: files.map((f) => beside.get(f.id) ?? [f.id]) };
}

export async function putFiles(core: Core, ids: string[]): Promise<void> {
  const there = inCore.get(core) ?? new Set<string>();
  inCore.set(core, there);
  for (const id of new Set(ids.flatMap((i) => beside.get(i) ?? [i]))) {
    const bytes = fileBytes.get(id);
    if (there.has(id) || !bytes) continue;
    await core.call('put_file', { name: fileNames.get(id)!, bytes });
    there.add(id);
  }
}

export const putNamed = (core: Core, names: string[]) => putFiles(core, [...fileNames].filter(([, name]) => names.includes(name)).map(([id]) => id));

export function forgetPut(): void {
  inCore = new WeakMap();
}

const motionEndings = ['bvh', 'amc', 'asf', 'vrma'];
const characterEndings = ['glb', 'gltf', 'vrm', 'fbx', 'obj', 'dae', 'ply', 'stl', 'off'];

export function ending(name: string): string {
  return name.toLowerCase().split('.').at(-1) ?? '';
}
export const isMotionFile = (name: string) => motionEndings.includes(ending(name));
export const isCharacterFile = (name: string) => characterEndings.includes(ending(name));
export const isWorkFile = (name: string) => name.toLowerCase().endsWith('.sinew.json');
export const openable = [...characterEndings, ...motionEndings, 'bin', 'mtl', 'png', 'jpg', 'jpeg', 'json'].map((e) => `.${e}`).join(',');
