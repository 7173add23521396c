// The bytes that the core writes in a browser against those of the command line, for the same choices.
// Usage: node same_bytes.mjs SINEW [--all] FILE|FOLDER…
//   --all: every built-in motion of each body; else the first one. SINEW_FILES: at most so many files.
// Prints every file that differs, and how; exit code 1 where one does.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { start } from './start.mjs';

const [program, ...words] = process.argv.slice(2);
const all = words.includes('--all');
const places = words.filter((word) => !word.startsWith('--'));
const most = Number(process.env.SINEW_FILES ?? Infinity);
const readable = /\.(glb|gltf|vrm|obj|fbx)$/i;
const temporary = mkdtempSync(join(tmpdir(), 'sinew-same-'));
let same = 0, failedBoth = 0, differ = 0;

function native(file, motion) {
  const out = join(temporary, 'native.glb');
  rmSync(out, { force: true });
  try {
    execFileSync(resolve(program), ['animate', basename(file), '--motion', motion, '-o', out, '--quiet'], { cwd: dirname(file), stdio: 'pipe' });
    return readFileSync(out);
  } catch (error) {
    return String(error.stderr ?? error);
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
function motionsOf(file) {
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

function compare(file, motion) {
  const a = native(file, motion), b = inBrowser(file, motion);
  const what = `${basename(file)} with ${motion}`;
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) {
    if (a.equals(b)) return void ++same;
    console.log(`differs: ${what}: ${difference(a, b)}`);
  } else if (!Buffer.isBuffer(a) && !Buffer.isBuffer(b)) return void ++failedBoth;
  else console.log(`differs: ${what}: ${Buffer.isBuffer(a) ? 'read' : a.trim()} against ${Buffer.isBuffer(b) ? 'read' : b.trim()}`);
  ++differ;
}

const inside = (place) => (statSync(place).isDirectory() ? readdirSync(place, { recursive: true }).map((name) => join(place, name)).filter((name) => readable.test(name)).sort() : [place]);
for (const file of places.flatMap((place) => inside(resolve(place))).slice(0, most)) {
  const motions = motionsOf(file);
  for (const motion of all ? motions : [motions[0] ?? 'walk']) compare(file, motion);
}
rmSync(temporary, { recursive: true });
console.log(`${same} the same, ${differ} differ, ${failedBoth} refused by both`);
process.exit(differ ? 1 : 0);
