// The work as one file: choices, edits and the opened files, to go on elsewhere.
import { sourceName, work } from '../state/app.ts';
import { stem } from '../state/command_line.ts';
import { keepFiles, type OpenedFile } from '../state/files.ts';
import { keptNow } from '../state/keep.ts';
import { say } from '../state/view.ts';
import type { Work } from '../state/work.ts';
import { decodeWork, encodeWork } from '../state/encode.ts';
import { download } from './download.ts';

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
