// Files that the core writes are the command line's, byte for byte: all built-in motions of the sample, the first one of a few
// bodies of other kinds.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { differenceOf, motionsOf } from './same_bytes.mjs';
import { start } from './start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const program = process.env.SINEW ?? join(root, 'build/release/sinew');
const data = join(root, '../shared/data');
const skip = existsSync(program) ? false : `there is no ${program}`;

test('the sample as a bare mesh with a texture, every motion', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinew-sample-'));
  try {
    const core = start();
    const { files } = core.call('export', { id: core.call('sample', { name: 'humanoid' }).id, name: 'hero.obj' });
    for (const file of files) writeFileSync(join(folder, file.name), file.bytes);
    const motions = motionsOf(join(folder, 'hero.obj'));
    assert.ok(motions.length >= 5, motions.join());
    for (const motion of motions) assert.equal(differenceOf(program, join(folder, 'hero.obj'), motion), '', motion);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const bodies = ['mesh-unrigged/sveta.obj', 'mesh-unrigged/spot.obj', 'gltf-khronos/CesiumMan.glb', 'gltf-khronos/Fox.glb', 'rigged-gt/kaykit_Knight.glb', 'rigged-gt/m2m_model-bird.glb'];
for (const body of bodies)
  test(`${body}, its first motion`, { skip: skip || (existsSync(join(data, body)) ? false : `there is no ${body}`) }, () => {
    const file = join(data, body);
    assert.equal(differenceOf(program, file, motionsOf(file)[0]), '');
  });
