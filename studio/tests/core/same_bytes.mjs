// The bytes that the core writes in a browser are those of the command line, for the same choices: built-in motions and
// bodies. Usage: node same_bytes.mjs SINEW FOLDER…   prints every file that differs; exit code 1 where one does.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { start } from './start.mjs';

const [program, ...folders] = process.argv.slice(2);
const most = Number(process.env.SINEW_FILES ?? Infinity);
const readable = /\.(glb|gltf|vrm|obj|fbx|bvh)$/i;
const temporary = mkdtempSync(join(tmpdir(), 'sinew-same-'));
let same = 0, failedBoth = 0;
const differ = [];

function native(file, motion) {
  const out = join(temporary, 'native.glb');
  rmSync(out, { force: true });
  try {
    execFileSync(program, ['animate', basename(file), '--motion', motion, '-o', out, '--quiet'], { cwd: dirname(file), stdio: 'pipe' });
    return readFileSync(out);
  } catch (error) {
    return String(error.stderr ?? error);
  }
}

// A fresh core for each, with the file and all that lies beside it.
function inBrowser(file, motion) {
  const core = start();
  const folder = dirname(file);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath ?? name.path, name.name);
    if (name.isFile() && (path === file || /\.(mtl|bin|png|jpe?g|webp)$/i.test(path))) core.call('put_file', { name: path.slice(folder.length + 1), bytes: new Uint8Array(readFileSync(path)) });
  }
  try {
    const { id } = core.call('open', { file: basename(file) });
    core.call('animate', { id, motions: [motion] });
    return Buffer.from(core.call('export', { id, name: 'out.glb' }).files.at(-1).bytes);
  } catch (error) {
    return String(error.failure?.text ?? error);
  }
}

function compare(file, motion) {
  const a = native(file, motion), b = inBrowser(file, motion);
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b)) ++same;
  else if (!Buffer.isBuffer(a) && !Buffer.isBuffer(b)) ++failedBoth;
  else {
    differ.push(`${file} ${motion}`);
    console.log(`differs: ${file} with ${motion}: ${Buffer.isBuffer(a) ? `${a.length} bytes` : a.trim()} against ${Buffer.isBuffer(b) ? `${b.length} bytes` : b.trim()}`);
  }
}

const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((name) => readable.test(name)).sort());
for (const file of files.slice(0, most)) compare(file, 'walk');
rmSync(temporary, { recursive: true });
console.log(`${same} the same, ${differ.length} differ, ${failedBoth} refused by both`);
process.exit(differ.length ? 1 : 0);
