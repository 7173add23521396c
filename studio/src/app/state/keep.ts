// The work in progress, kept in the browser: closing the page loses nothing.
import { history, work } from './app.ts';
import { allFiles, keepFiles, type OpenedFile } from './files.ts';
import type { Source, Work } from './work.ts';

interface Kept {
  version: 1;
  work: Work;
  files: OpenedFile[];
  together: string[][];
}
// In the database the bytes are blobs: handed over, not copied, each time that the work changes.
type Shelved = Omit<Kept, 'files'> & { files: (Omit<OpenedFile, 'bytes'> & { bytes: Blob | Uint8Array })[] };
const blobs = new WeakMap<Uint8Array, Blob>();
function blobOf(bytes: Uint8Array): Blob {
  const blob = blobs.get(bytes) ?? new Blob([bytes as Uint8Array<ArrayBuffer>]);
  blobs.set(bytes, blob);
  return blob;
}

const place = 'sinew-studio';
const shelf = 'work';
const key = 'last';
const pause = 400; // milliseconds after the last change

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(place, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(shelf);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function put(kept: Kept): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const change = db.transaction(shelf, 'readwrite');
    const shelved: Shelved = { ...kept, files: kept.files.map((f) => ({ ...f, bytes: blobOf(f.bytes) })) };
    change.objectStore(shelf).put(shelved, key);
    change.oncomplete = () => resolve();
    change.onerror = () => reject(change.error);
  });
  db.close();
}

export async function keptWork(): Promise<Work | null> {
  try {
    const db = await database();
    const kept = await new Promise<Shelved | undefined>((resolve, reject) => {
      const request = db.transaction(shelf).objectStore(shelf).get(key);
      request.onsuccess = () => resolve(request.result as Shelved | undefined);
      request.onerror = () => reject(request.error);
    });
    db.close();
    if (kept?.version !== 1) return null;
    const files = await Promise.all(kept.files.map(async ({ id, name, bytes }) => ({ id, name, bytes: new Uint8Array(bytes instanceof Blob ? await bytes.arrayBuffer() : bytes) })));
    files.forEach((file, i) => keepFiles([file], kept.together[i] ?? [file.id]));
    return kept.work;
  } catch {
    return null; // private windows have no database; the page works without
  }
}

// Files that no step of the history needs are left out.
function filesInUse(): { files: OpenedFile[]; together: string[][] } {
  const all = allFiles();
  const used = (source: Source) => ('file' in source ? source.file : '');
  const ids = new Set([used(work().source)]);
  const names = new Set(work().motions.map((m) => m.name));
  const wanted = all.files.map((f, i) => names.has(f.name) || ids.has(f.id) || all.together[i]!.some((t) => ids.has(t)));
  return { files: all.files.filter((_, i) => wanted[i]), together: all.together.filter((_, i) => wanted[i]) };
}
export function keptNow(): Kept {
  return { version: 1, work: work(), ...filesInUse() };
}

export function keepWork(): void {
  let timer = 0;
  let last: Work = work();
  const page = document.documentElement;
  const keep = () => {
    const kept = last;
    clearTimeout(timer);
    const done = () => void (kept === last && (page.dataset['kept'] = 'yes'));
    put(keptNow()).then(done, done); // private windows have no database; the page works without
  };
  history.watch((h) => {
    if (h.present === last) return;
    last = h.present;
    clearTimeout(timer);
    page.dataset['kept'] = 'no';
    timer = window.setTimeout(keep, pause);
  });
  addEventListener('pagehide', () => page.dataset['kept'] === 'no' && keep());
}
