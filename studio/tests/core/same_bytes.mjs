// The bytes that the core writes in a browser against those of the command line, for the same choices. same_bytes.test.mjs
// asks for a few; for many:
//   node same_bytes.mjs SINEW [--all] FILE|FOLDER…
//     --all: every built-in motion of each body; else the first one. SINEW_FILES: at most so many files.
//   Prints every file that differs, and how; exit code 1 where one does.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './start.mjs';

const readable = /\.(glb|gltf|vrm|obj|fbx)$/i;

function native(program, file, motion) {
  const temporary = mkdtempSync(join(tmpdir(), 'sinew-same-'));
  const out = join(temporary, 'native.glb');
  try {
    execFileSync(resolve(program), ['animate', basename(file), '--motion', motion, '-o', out, '--quiet'], { cwd: dirname(file), stdio: 'pipe' });
    return readFileSync(out);
  } catch (error) {
    return String(error.stderr ?? error);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

// A fresh core for each, with the file and all that lies beside it.
function withFile(file) {
  const core = start();
  const folder = dirname(file);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath ?? name.path, name.name);
    if (name.isFile() && (path === file || /\.(mtl|bin|png|jpe?g|webp)$/i.test(path))) core.call('put_file', { name: path.slice(folder.length + 1), bytes: new Uint8Array(readFileSync(path)) });
  }
  return core;
}
function inBrowser(file, motion) {
  try {
    const core = withFile(file);
    const { id } = core.call('open', { file: basename(file) });
    core.call('animate', { id, motions: [motion] });
    return Buffer.from(core.call('export', { id, name: 'out.glb' }).files.at(-1).bytes);
  } catch (error) {
    return String(error.failure?.text ?? error);
  }
}

// The motions of the body's kind, which shows once it is rigged.
export function motionsOf(file) {
  try {
    const core = withFile(file);
    const { id, state } = core.call('open', { file: basename(file) });
    if (state.rigged) return state.motions;
    return core.call('rig', { id }).state.motions;
  } catch {
    return [];
  }
}

// How two GLBs differ: in their text, or in how many numbers and by how much.
function difference(a, b) {
  const text = (glb) => glb.subarray(20, 20 + glb.readUInt32LE(12));
  if (!text(a).equals(text(b))) return `the JSON differs, ${a.length} and ${b.length} bytes`;
  let count = 0, largest = 0;
  for (let at = 28 + a.readUInt32LE(12); at + 4 <= a.length; at += 4) {
    if (a.readUInt32LE(at) === b.readUInt32LE(at)) continue;
    ++count;
    largest = Math.max(largest, Math.abs(a.readFloatLE(at) - b.readFloatLE(at)) || 0);
  }
  return `${count} of ${a.length / 4} numbers differ, by ${largest.toExponential(1)} at most`;
}

// What is different; empty where nothing is, null where both refuse the file.
export function differenceOf(program, file, motion) {
  const a = native(program, file, motion), b = inBrowser(file, motion);
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return a.equals(b) ? '' : difference(a, b);
  if (!Buffer.isBuffer(a) && !Buffer.isBuffer(b)) return null;
  return `${Buffer.isBuffer(a) ? 'read' : a.trim()} against ${Buffer.isBuffer(b) ? 'read' : b.trim()}`;
}

const inside = (place) => (statSync(place).isDirectory() ? readdirSync(place, { recursive: true }).map((name) => join(place, name)).filter((name) => readable.test(name)).sort() : [place]);

function compareMany([program, ...words]) {
  const count = { same: 0, differ: 0, refused: 0 };
  const places = words.filter((word) => !word.startsWith('--'));
  const files = places.flatMap((place) => inside(resolve(place))).slice(0, Number(process.env.SINEW_FILES ?? Infinity));
  for (const file of files) {
    const motions = motionsOf(file);
    for (const motion of words.includes('--all') ? motions : [motions[0] ?? 'walk']) {
      const found = differenceOf(program, file, motion);
      ++count[found === null ? 'refused' : found === '' ? 'same' : 'differ'];
      if (found) console.log(`differs: ${basename(file)} with ${motion}: ${found}`);
    }
  }
  console.log(`${count.same} the same, ${count.differ} differ, ${count.refused} refused by both`);
  return count.differ;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(compareMany(process.argv.slice(2)) ? 1 : 0);
