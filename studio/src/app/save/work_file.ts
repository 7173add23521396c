// The work as one file: choices, edits and the opened files, to go on elsewhere.
import { sourceName, work } from '../state/app.ts';
import { stem } from '../state/command_line.ts';
import { keepFiles, type OpenedFile } from '../state/files.ts';
import { keptNow } from '../state/keep.ts';
import { say } from '../state/view.ts';
import type { Work } from '../state/work.ts';
import { download } from './download.ts';

const kinds = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };
type Kind = keyof typeof kinds;

function toText(bytes: Uint8Array): string {
  let text = '';
  const piece = 0x8000; // arguments that a call takes
  for (let i = 0; i < bytes.length; i += piece) text += String.fromCharCode(...bytes.subarray(i, i + piece));
  return btoa(text);
}
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

// Arrays of numbers as { "f32": base64 }.
export function encodeWork(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => {
    for (const [kind, type] of Object.entries(kinds))
      if (v instanceof type) return { [kind]: toText(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)) };
    return v;
  });
}
export function decodeWork(text: string): any {
  return JSON.parse(text, (_, v: unknown) => {
    if (typeof v !== 'object' || v === null) return v;
    const [entry, second] = Object.entries(v);
    if (!entry || second || !(entry[0] in kinds) || typeof entry[1] !== 'string') return v;
    return new kinds[entry[0] as Kind](toBytes(entry[1]).buffer);
  });
}

export async function saveWork(): Promise<void> {
  const name = `${stem(sourceName(work()))}.sinew.json`;
  download(name, encodeWork(keptNow()), 'application/json');
  say(`Saved ${name}. Drop it on the page to go on.`, 'good');
}

export async function readWorkFile(file: File): Promise<Work> {
  const broken = new Error(`${file.name} is no work file of the studio; save one with Save, Work file`);
  let read: { version?: number; work?: Work; files?: OpenedFile[]; together?: string[][] };
  try {
    read = decodeWork(await file.text());
  } catch {
    throw broken;
  }
  if (read?.version !== 1 || !read.work?.source || !Array.isArray(read.files)) throw broken;
  read.files.forEach((f, i) => keepFiles([f], read.together?.[i] ?? [f.id]));
  return read.work;
}
