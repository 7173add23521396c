// Broken files on the core as a browser has it: cut off anywhere, bytes changed at random, and lies about sizes. Each is read
// or refused in a sentence; none ends the core. One core takes them all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError, start } from './start.mjs';

const core = start();
const call = (name, args = {}) => core.call(name, args);
const text = (string) => new TextEncoder().encode(string);

// Seeded: the same files every time.
let state = 20261117;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function exported(name, ending) {
  const { id } = call('sample', { name });
  if (ending === 'bvh') call('animate', { id, motions: ['walk'] });
  const file = call('export', { id, name: `seed.${ending}` }).files.at(-1);
  call('close', { id });
  return file.bytes;
}

const bvh = text(`HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333
0 90 0 0 0 0 1 2 3
0 91 0 0 5 0 4 5 6
`);
const asf = text(':version 1.10\n:units\n  length 0.45\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n  begin\n    id 1\n    name leg\n    direction 0 -1 0\n    length 2\n    axis 0 0 0 XYZ\n    dof rx\n    limits (-90 90)\n  end\n:hierarchy\n  begin\n    root leg\n  end\n');
const gltf = text(JSON.stringify({
  asset: { version: '2.0' },
  buffers: [{ byteLength: 36, uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA' }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  nodes: [{ mesh: 0, children: [1] }, { name: 'end' }],
  scenes: [{ nodes: [0] }],
}));
const seeds = [
  ['seed.glb', () => exported('arm', 'glb')],
  ['seed.obj', () => text('mtllib a.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\nf -1 -2 -3\n')],
  ['seed.gltf', () => gltf],
  ['seed.fbx', () => exported('arm', 'fbx')],
  ['seed.bvh', () => bvh],
  ['seed.asf', () => asf],
];

// True where the file was read, false where it was refused in a sentence that names it.
function opens(name, bytes) {
  call('put_file', { name, bytes });
  try {
    const { id } = call('open', { file: name });
    call('close', { id });
    return true;
  } catch (error) {
    assert.ok(error instanceof OperationError, `${name} ended the core: ${error}`);
    assert.match(error.failure.text, /^(seed|endless|huge)[^:]*: ./);
    return false;
  }
}

function mutated(bytes) {
  const out = bytes.slice();
  const changes = 1 + random(8);
  for (let i = 0; i < changes; ++i) out[random(out.length)] = random(4) ? random(256) : [0, 0xff, 0x7f, 0x80][random(4)];
  return out;
}

for (const [name, make] of seeds)
  test(`${name}: cut off at many places, and with bytes changed`, () => {
    const whole = make();
    const cuts = Math.min(whole.length, 150);
    for (let i = 0; i < cuts; ++i) opens(name, whole.slice(0, Math.floor((whole.length * i) / cuts)));
    for (let i = 0; i < 300; ++i) opens(name, mutated(whole));
    call('remove_file');
    if (name !== 'seed.asf') assert.ok(opens(name, whole), 'the whole file is still read');
  });

test('lies about sizes take no memory', () => {
  const before = core.byteLength;
  const big = 4_000_000_000;
  const lie = JSON.parse(new TextDecoder().decode(gltf));
  lie.accessors[0].count = big;
  opens('seed-count.gltf', text(JSON.stringify(lie)));
  lie.buffers[0].byteLength = big;
  lie.bufferViews[0].byteLength = big;
  opens('seed-buffer.gltf', text(JSON.stringify(lie)));
  opens('seed-frames.bvh', text(new TextDecoder().decode(bvh).replace('Frames: 2', 'Frames: 2000000000')));
  opens('seed-face.obj', text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n'));
  opens('seed-nested.gltf', text('['.repeat(1_000_000)));
  const glb = exported('arm', 'glb');
  new DataView(glb.buffer).setUint32(8, 0xffffffff, true);
  opens('seed.glb', glb);
  assert.ok(core.byteLength <= before + 64 * 2 ** 20, `${(core.byteLength - before) / 2 ** 20} MB more`);
});

test('the core still works after all of them', () => {
  const { id } = call('sample', { name: 'humanoid' });
  call('animate', { id, motions: ['walk'] });
  assert.ok(call('export', { id, name: 'after.glb' }).files.at(-1).bytes.length > 100_000);
});
