// Every operation of api.json on the core as a browser has it: each does what it says, and its result has the type listed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { checkType } from './check_type.mjs';
import { deflateSync, inflateSync } from 'node:zlib';
import { decodes, OperationError, root, start } from './start.mjs';

const list = JSON.parse(readFileSync(`${root}studio/api.json`, 'utf8'));
const used = new Set();
const core = start();
const types = { ...list.types };

// Calls, and proves arguments and result against the list.
function call(name, args = {}) {
  const operation = list.operations.find((each) => each.name === name);
  assert.ok(operation, `${name} is in the list`);
  assert.equal(checkType(operation.args, args, types, `${name} args`), '');
  const result = core.call(name, args);
  assert.equal(checkType(operation.result, result, types, name), '');
  used.add(name);
  return result;
}
const fails = (name, args, words) =>
  assert.throws(() => core.call(name, args), (error) => error instanceof OperationError && words.test(error.failure.text) && error.failure.code !== '');
const text = (string) => new TextEncoder().encode(string);
const near = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what ?? ''} ${a} is not ${b}`);

function rigged(name = 'humanoid-rigged', ...motions) {
  const { id } = call('sample', { name });
  if (motions.length) call('animate', { id, motions });
  return id;
}

test('the list is the core’s own, argument by argument', () => {
  const own = call('operations').operations;
  assert.deepEqual(own.map((each) => each.name).sort(), list.operations.map((each) => each.name).sort());
  for (const { name, args } of own)
    assert.deepEqual([...args].sort(), Object.keys(list.operations.find((each) => each.name === name).args).map((key) => key.replace('?', '')).sort(), name);
});

test('check measures what the command line measures', () => {
  const id = rigged('humanoid-rigged', 'walk');
  const { report } = call('check', { id });
  assert.ok(report.checks.length > 10);
  assert.equal(report.checks.find((row) => row.name === 'unweighted_vertices').grade, 'good');
  assert.equal(report.faults, report.checks.filter((row) => row.grade === 'fault').length);
});

test('the spline through knots meets them, is monotone between them, and stays in their range', () => {
  const { values } = call('spline', { at: [0, 0.25, 0.5, 1], values: [1, 1, 0.25, 0], samples: 101 });
  for (const [at, value] of [[0, 1], [25, 1], [50, 0.25], [100, 0]]) near(values[at], value, 1e-6, `at ${at}`);
  values.forEach((v, i) => assert.ok(i === 0 || v <= values[i - 1] + 1e-6, `it rises at ${i}`));
  assert.ok(Math.abs(values[75] - 0.125) > 1e-3, 'it is a curve, not a line');
  fails('spline', { at: [0], values: [1], samples: 5 }, /two places/);
  fails('spline', { at: [0, 1], values: [1, 0], samples: 1 }, /between 2 and 1000/);
});

test('wrong calls are told as the command line would', () => {
  fails('flie', {}, /unknown operation "flie"/);
  fails('open', { file: 'none.obj' }, /^none\.obj: cannot open/);
  fails('open', {}, /argument file is missing/);
  fails('open', { file: 'x', colour: 1 }, /has no argument colour/);
  fails('close', { id: 'x' }, /not a number/);
  fails('state', { id: 12345 }, /no such document/);
  call('put_file', { name: 'house.dae', bytes: text('<COLLADA/>') });
  fails('open', { file: 'house.dae' }, /sinew convert file\.dae file\.glb/);
  call('put_file', { name: 'broken.glb', bytes: text('glTFxxxxyyyyzzzz') });
  fails('open', { file: 'broken.glb' }, /^broken\.glb: /);
  fails('animate', { id: rigged(), motions: ['wlak'] }, /walk/);
});

test('files: put, listed, got, removed; companions are found', () => {
  call('remove_file');
  const mtl = text('newmtl red\nKd 1 0 0\n');
  call('put_file', { name: './models//box.mtl', bytes: mtl });
  call('put_file', { name: 'models/box.obj', bytes: text('mtllib box.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n') });
  assert.deepEqual(call('list_files').files.map((file) => file.name), ['models/box.mtl', 'models/box.obj']);
  assert.deepEqual([...call('get_file', { name: 'models/box.mtl' }).bytes], [...mtl]);
  const { id, state } = call('open', { file: 'models/box.obj' });
  assert.equal(state.info.materials, 1);
  assert.equal(state.info.meshes[0].vertices, 3);
  assert.equal(state.rigged, false);
  call('remove_file', { name: 'models/box.mtl' });
  call('remove_file');
  assert.deepEqual(call('list_files').files, []);
  call('close', { id });
  fails('state', { id }, /no such document/);
});

test('a bare mesh is rigged, moved and exported; a copy stays as it was', () => {
  const { id } = call('sample', { name: 'humanoid' });
  const before = call('copy', { id }).id;
  const { report, state } = call('animate', { id, motions: ['walk', 'wave'], motion: { in_place_root: true }, rig: { names: 'mixamo', fingers: 0 } });
  assert.equal(report.template, 'biped');
  assert.deepEqual(state.info.clips.map((clip) => clip.name), ['walk', 'wave']);
  assert.ok(state.info.joints.some((joint) => joint.name === 'mixamorig:Hips'));
  assert.equal(state.kind, 'person');
  assert.ok(state.humanoid);
  const { files } = call('export', { id, name: 'hero.glb' });
  assert.equal(new TextDecoder().decode(files.at(-1).bytes.slice(0, 4)), 'glTF');
  for (const name of ['hero.vrm', 'hero.fbx', 'hero.obj', 'hero.bvh', 'hero.gltf']) assert.ok(call('export', { id, name }).files.at(-1).bytes.length > 100, name);
  fails('export', { id, name: 'hero.xyz' }, /hero\.xyz/);
  // What was written is read again.
  call('put_file', { name: 'hero.glb', bytes: files.at(-1).bytes });
  assert.equal(call('open', { file: 'hero.glb' }).state.info.skins, 1);
  assert.equal(call('state', { id: before }).state.rigged, false);
  assert.equal(call('assign', { id, from: before }).state.rigged, false);
  assert.equal(call('info', { id }).info.clips.length, 0);
});

test('rig, fit and bind', () => {
  const { id } = call('sample', { name: 'humanoid' });
  const fit = call('fit', { id });
  const hand = fit.joints.find((joint) => joint.name === 'leftHand');
  const moved = [hand.position[0] - 0.03, hand.position[1] + 0.02, hand.position[2]];
  const again = call('fit', { id, rig: { joints: [{ joint: 'leftHand', position: moved }] } });
  const there = again.joints.find((joint) => joint.name === 'leftHand').position;
  moved.forEach((number, axis) => near(there[axis], number, 1e-4, 'the hand is where the hint has it'));
  assert.equal(call('state', { id }).state.rigged, false);
  const { report } = call('rig', { id, rig: { joints: [{ joint: 'leftHand', position: moved }], fingers: 0 } });
  assert.ok(report.confidence > 0.6 && report.cues.length > 0);
  const bound = call('bind', { id, weights: 'distance', influences: 2 });
  assert.equal(bound.report.weights.max_influences, 2);
  const other = call('sample', { name: 'humanoid' }).id;
  call('bind', { id: other, skeleton: id, weights: 'rigid' });
  assert.equal(call('state', { id: other }).state.rigged, true);
  fails('rig', { id, rig: { up: 'sideways' } }, /not a direction/);
});

test('motions: built in, from a file, with a map; contacts', () => {
  const id = rigged();
  assert.ok(call('motions').builtin.length > 3);
  assert.ok(call('motions', { id }).builtin[0].motions.includes('walk'));
  const walk = call('retarget', { id, motions: ['walk'] });
  assert.equal(walk.motions[0].clip, 'walk');
  const bvh = call('export', { id, name: 'walk.bvh' }).files.at(-1).bytes;
  call('put_file', { name: 'from/walk.bvh', bytes: bvh });
  const child = rigged('humanoid-child');
  const done = call('retarget', { id: child, motions: ['from/walk.bvh'], motion: { fps: 24, mirror: true } });
  assert.ok(done.motions[0].retarget.map.length > 10);
  const map = Object.fromEntries(done.motions[0].retarget.map.map((match) => [match.source, match.target]));
  const crossed = { ...map, leftLowerArm: map.rightLowerArm, rightLowerArm: map.leftLowerArm };
  const mapped = call('retarget', { id: child, motions: ['from/walk.bvh'], motion: { map: crossed } });
  assert.equal(mapped.motions[0].retarget.map.find((match) => match.source === 'leftLowerArm').target, map.rightLowerArm);
  fails('retarget', { id: child, motions: ['from/walk.bvh'], motion: { map: { nobody: 'nothing' } } }, /nobody/);
  const { contacts } = call('contacts', { id, clip: 'walk' });
  for (const foot of ['leftFoot', 'rightFoot']) assert.ok(contacts.some((contact) => contact.joint === foot), foot);
  assert.ok(contacts.every((contact) => contact.from <= contact.to));
});

test('weights: out, in, edited', () => {
  const id = rigged();
  const part = call('weights', { id }).parts[0];
  for (let v = 0; v + 1 < part.first.length; ++v) {
    let sum = 0;
    for (let k = part.first[v]; k < part.first[v + 1]; ++k) sum += part.weight[k];
    near(sum, 1, 1e-5, `vertex ${v}`);
  }
  call('set_weights', { id, instance: part.instance, primitive: part.primitive, vertices: Uint32Array.of(5), first: Uint32Array.of(0, 2), joint: Uint32Array.of(0, 1), weight: Float32Array.of(3, 1) });
  const now = call('weights', { id }).parts[0];
  assert.deepEqual([...now.weight.slice(now.first[5], now.first[6])], [0.75, 0.25]);
  fails('set_weights', { id, instance: part.instance, primitive: part.primitive, vertices: Uint32Array.of(5), first: Uint32Array.of(0, 1), joint: Uint32Array.of(9999), weight: Float32Array.of(1) }, /joint/);
  fails('set_weights', { id, instance: 77, primitive: 0, vertices: Uint32Array.of(5), first: Uint32Array.of(0, 1), joint: Uint32Array.of(0), weight: Float32Array.of(1) }, /no skinned primitive/);
  const { report } = call('edit_weights', { id, smooth: 2, prune: 0.01, influences: 3, mirror: 'x' });
  assert.ok(report.max_influences <= 3);
  call('edit_weights', { id, transfer_from: rigged() });
});

test('painting: adds on the surface, mirrors, keeps what is locked, and is kept or forgotten', () => {
  const id = rigged();
  const body = call('geometry', { id }).parts[0];
  const hand = call('info', { id }).info.joints.find((joint) => joint.name === 'leftHand');
  const mirror = call('info', { id }).info.joints.find((joint) => joint.name === 'rightHand');
  const forget = call('copy', { id }).id;
  const { painter } = call('paint_begin', { id });
  const dab = call('paint', { painter, joint: 'leftHand', mode: 'add', centre: hand.position, radius: 0.06, strength: 1, mirror: true }).parts[0];
  let left = 0, right = 0;
  dab.vertices.forEach((vertex) => {
    const at = [0, 1, 2].map((axis) => body.positions[3 * vertex + axis]);
    const distance = (joint) => Math.hypot(...at.map((number, axis) => number - joint.position[axis]));
    assert.ok(Math.min(distance(hand), distance(mirror)) < 0.2, 'nothing far from the brush');
    if (distance(hand) < distance(mirror)) ++left;
    else ++right;
  });
  assert.ok(left > 3 && right > 3, `both sides: ${left}, ${right}`);
  const locked = call('paint', { painter, joint: 'leftLowerArm', mode: 'add', centre: hand.position, radius: 0.06, strength: 1, locked: ['leftLowerArm'] });
  assert.equal(locked.parts.length, 0);
  call('paint', { painter, joint: 'leftHand', mode: 'smooth', centre: hand.position, radius: 0.1, strength: 0.5 });
  call('paint', { painter, joint: 'leftHand', mode: 'subtract', centre: hand.position, radius: 0.03, strength: 0.5 });
  call('paint', { painter, joint: 'leftHand', mode: 'replace', centre: hand.position, radius: 0.03, strength: 0.5 });
  const before = call('weights', { id }).parts[0].weight;
  call('paint_end', { painter });
  assert.notDeepEqual(call('weights', { id }).parts[0].weight, before);
  const second = call('paint_begin', { id: forget }).painter;
  call('paint', { painter: second, joint: 'leftHand', mode: 'add', centre: hand.position, radius: 0.06, strength: 1 });
  call('paint_end', { painter: second, keep: false });
  assert.deepEqual(call('weights', { id: forget }).parts[0].weight, before);
  fails('paint', { painter: second, joint: 'leftHand', mode: 'add', centre: [0, 0, 0], radius: 1, strength: 1 }, /begin one first/);
});

test('a brush paints the sheet it touches, not the one behind it', () => {
  const side = 20, gap = 0.01, lines = [];
  for (const z of [0, -gap])
    for (let y = 0; y < side; ++y) for (let x = 0; x < side; ++x) lines.push(`v ${x / side - 0.5} ${1 + y / side - 0.5} ${z}`);
  for (let sheet = 0; sheet < 2; ++sheet)
    for (let y = 0; y + 1 < side; ++y)
      for (let x = 0; x + 1 < side; ++x) {
        const v = sheet * side * side + y * side + x + 1;
        lines.push(`f ${v} ${v + 1} ${v + side + 1} ${v + side}`);
      }
  call('put_file', { name: 'sheets.obj', bytes: text(lines.join('\n')) });
  const { id } = call('open', { file: 'sheets.obj' });
  call('bind', { id, skeleton: rigged(), weights: 'distance' });
  const { parts } = call('geometry', { id });
  const { painter } = call('paint_begin', { id });
  const dab = call('paint', { painter, joint: 'chest', mode: 'add', centre: [0.02, 1.02, 0], radius: 0.2, strength: 1 }).parts;
  assert.ok(dab[0].vertices.length > 20);
  for (const vertex of dab[0].vertices) near(parts[0].positions[3 * vertex + 2], 0, gap / 10);
  call('paint_end', { painter, keep: false });
});

test('weights along a bone: the curve as it is changes nothing, a lower knot lowers it there alone', () => {
  const id = rigged();
  const before = call('bone_curve', { id, joint: 'leftLowerArm' });
  const middle = Math.round(before.at.length * 0.75);
  assert.ok(before.weight[0] < 0.1 && before.weight[middle] > 0.8, `rises along the arm: ${before.weight}`);
  const weights = call('weights', { id }).parts[0].weight;
  call('set_bone_curve', { id, joint: 'leftLowerArm', at: [...before.at], weight: [...before.weight] });
  const same = call('weights', { id }).parts[0].weight;
  assert.ok(same.length === weights.length && same.every((weight, i) => Math.abs(weight - weights[i]) < 1e-4), 'the same curve changes nothing');
  // Few knots: what they change is added to what is there, and the others stay.
  const at = [0, 0.2, 0.4, 0.6, 0.8, 1], weight = at.map((place) => before.weight[Math.round(place * (before.at.length - 1))]);
  call('set_bone_curve', { id, joint: 'leftLowerArm', at, weight });
  const few = call('weights', { id }).parts[0].weight;
  assert.ok(few.every((share, i) => Math.abs(share - weights[i]) < 1e-4), 'knots that stay change nothing');
  call('set_bone_curve', { id, joint: 'leftLowerArm', at, weight: weight.map((share, k) => (k === 4 ? 0.3 : share)) });
  const after = call('bone_curve', { id, joint: 'leftLowerArm' });
  const sample = (place) => Math.round(place * (before.at.length - 1));
  near(after.weight[sample(0.8)], 0.3, 0.1, 'the knot that was lowered');
  near(after.weight[sample(0.4)], before.weight[sample(0.4)], 0.05, 'two knots away');
  assert.ok(after.weight.every((share, i) => share < before.weight[i] + 0.05), 'nothing rises');
  fails('bone_curve', { id, joint: 'root' }, /no parent/);
});

test('posing: the verb, and a solver that follows a pointer', () => {
  const id = rigged();
  const target = [0.3, 1.3, 0.4];
  const { report } = call('pose', { id, targets: [{ name: 'leftHand', value: target }], as: 'clip' });
  assert.ok(report.reached);
  const { solver, pose } = call('solver_begin', { id, anatomical: true });
  const joints = call('info', { id }).info.joints;
  assert.equal(pose.length, joints.length * 10);
  const place = (local, name) => {
    const { player } = call('player_begin', { id });
    const { world } = call('player_frame', { player, layers: [], pose: local });
    call('player_end', { player });
    const j = joints.findIndex((joint) => joint.name === name);
    return [...world.slice(16 * j + 12, 16 * j + 15)];
  };
  const goal = [0.35, 1.2, 0.35];
  const drag = call('solver_drag', { solver, goals: [{ joint: 'leftHand', position: goal }, { joint: 'rightHand', rotation: [0, 0, 0, 1] }] });
  assert.ok(drag.reached);
  place(drag.pose, 'leftHand').forEach((number, axis) => near(number, goal[axis], 0.005));
  const back = call('solver_drag', { solver, goals: [{ joint: 'leftHand', position: place(pose, 'leftHand') }] });
  place(back.pose, 'leftHand').forEach((number, axis) => near(number, place(pose, 'leftHand')[axis], 0.005, 'dragged back it comes back'));
  call('solver_set', { solver, pose: drag.pose });
  call('solver_end', { solver });
  assert.ok(call('joint_limits', { id }).limits.some((limit) => limit.kind === 'hinge'));
  fails('solver_drag', { solver, goals: [] }, /begin one first/);
});

test('playing: two clips blended, palettes, deformed vertices, shaders', () => {
  const id = rigged('humanoid-rigged', 'walk', 'run');
  const { player } = call('player_begin', { id, skinning: 'lbs' });
  const one = call('player_frame', { player, layers: [{ clip: 'walk', time: 0.3 }] });
  const alone = call('sample_clip', { id, clip: 'walk', times: Float32Array.of(0.3) });
  assert.deepEqual(one.pose, alone.pose);
  const two = call('player_frame', { player, layers: [{ clip: 'walk', time: 0.3, weight: 0.5 }, { clip: 'run', time: 0.2, weight: 0.5, only: 'upper' }] });
  assert.notDeepEqual(two.pose, one.pose);
  const palette = call('player_palette', { player, instance: 0, kind: 'matrices' });
  assert.equal(palette.rows.length, palette.width * palette.height * 4);
  // The vertices that the core deforms are those that the shader makes of the palette.
  const skin = call('weights', { id }).parts[0], rest = call('geometry', { id }).parts[0];
  const shown = call('deform', { id, pose: two.pose }).parts[0];
  for (const v of [0, 500, 2000]) {
    const at = [0, 0, 0];
    for (let k = skin.first[v]; k < skin.first[v + 1]; ++k)
      for (let row = 0; row < 3; ++row) {
        const r = palette.rows.slice((skin.joint[k] * 3 + row) * 4, (skin.joint[k] * 3 + row) * 4 + 4);
        at[row] += skin.weight[k] * (r[0] * rest.positions[3 * v] + r[1] * rest.positions[3 * v + 1] + r[2] * rest.positions[3 * v + 2] + r[3]);
      }
    at.forEach((number, axis) => near(number, shown.positions[3 * v + axis], 1e-4));
  }
  call('player_end', { player });
  call('deform', { id, clip: 'walk', time: 0.2, skinning: 'dqs', delta_mush: 2 });
  for (const method of ['lbs', 'dqs', 'stretched-dqs']) assert.match(call('glsl', { method }).method, /sinew_skin/);
  assert.match(call('glsl', { method: 'lbs', palette: 'uniform', rows: 99 }).palette, /99/);
  fails('glsl', { method: 'magic' }, /shaders/);
});

test('clips: keys out and in, poses keyed, curves, the verb edit, trails', () => {
  const id = rigged('humanoid-rigged', 'walk');
  const clip = call('clip', { id, clip: 'walk' });
  call('set_clip', { id, name: 'again', tracks: clip.tracks, at: 1 });
  assert.deepEqual(call('clip', { id, clip: 'again' }).tracks, clip.tracks);
  fails('set_clip', { id, name: 'bad', tracks: [{ ...clip.tracks[0], values: new Float32Array(1) }] }, /.+/);
  const joints = call('info', { id }).info.joints;
  const arm = joints.findIndex((joint) => joint.name === 'leftUpperArm');
  const { pose } = call('sample_clip', { id, clip: 'again', times: Float32Array.of(0.25) });
  pose.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], arm * 10 + 3);
  assert.equal(call('set_keys', { id, clip: 'again', time: 0.25, pose, joints: ['leftUpperArm'] }).keys, 1);
  const keyed = call('sample_clip', { id, clip: 'again', times: Float32Array.of(0.25) }).pose.slice(arm * 10 + 3, arm * 10 + 7);
  near(Math.abs(keyed[2]), Math.SQRT1_2, 1e-5);
  const where = { id, clip: 'walk', joint: 'leftLowerArm', path: 'rotation' };
  const before = call('sample_clip', { id, clip: 'walk', times: Float32Array.of(0.1, 0.37) }).pose;
  const { channels } = call('channels', where);
  call('set_channels', { ...where, channels });
  const after = call('sample_clip', { id, clip: 'walk', times: Float32Array.of(0.1, 0.37) }).pose;
  before.forEach((number, i) => near(Math.abs(after[i]), Math.abs(number), 0.02, 'the same curves are the same motion'));
  assert.ok(call('channels', { ...where, tolerance: 1 }).channels[0].times.length < channels[0].times.length);
  channels[0].values = channels[0].values.map((value) => value + 30);
  call('set_channels', { ...where, channels, fps: 60 });
  assert.notDeepEqual(call('sample_clip', { id, clip: 'walk', times: Float32Array.of(0.1, 0.37) }).pose, after);
  const hips = { id, clip: 'walk', joint: 'hips', path: 'translation' };
  const paths = call('channels', hips).channels;
  call('set_channels', { ...hips, channels: paths });
  const { report } = call('edit_clips', { id, clip: 'walk', speed: 2, add: [{ motion: 'wave', weight: 0.5 }], only: 'upper' });
  near(report.clips[0].seconds_after, report.clips[0].seconds_before / 2, 0.05);
  const trail = call('trail', { id, clip: 'walk', joints: ['leftFoot', 'rightFoot'], fps: 30 });
  assert.equal(trail.points.length, 2 * 3 * trail.times.length);
  call('remove_clip', { id, clip: 'again' });
  fails('clip', { id, clip: 'again' }, /again/);
});

// A picture of one grey pixel, and the one pixel of a picture.
function greyPng(value) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const crc = [...body].reduce((c, byte) => {
      c ^= byte;
      for (let k = 0; k < 8; ++k) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
      return c >>> 0;
    }, 0xffffffff) ^ 0xffffffff;
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc >>> 0, 8 + data.length);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.from([0, value]))), chunk('IEND', Buffer.alloc(0))]);
}
function onePixel(png) {
  const at = png.indexOf('IDAT');
  return [...inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))).subarray(1)];
}

test('maps of roughness and metalness of an OBJ are packed into one picture; a damaged one is left out', { skip: !decodes }, () => {
  const glbOf = (rough) => {
    call('put_file', { name: 'rough.png', bytes: new Uint8Array(rough) });
    call('put_file', { name: 'metal.png', bytes: new Uint8Array(greyPng(200)) });
    call('put_file', { name: 'dish.mtl', bytes: text('newmtl m\nmap_Pr rough.png\nmap_Pm metal.png\n') });
    call('put_file', { name: 'dish.obj', bytes: text('mtllib dish.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n') });
    const { id } = call('open', { file: 'dish.obj' });
    const glb = Buffer.from(call('export', { id, name: 'dish.glb' }).files.at(-1).bytes);
    const json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString());
    const { index } = json.materials[0].pbrMetallicRoughness.metallicRoughnessTexture;
    const view = json.bufferViews[json.images[json.textures[index].source].bufferView];
    return onePixel(glb.subarray(28 + glb.readUInt32LE(12) + (view.byteOffset ?? 0)));
  };
  const [, green, blue] = glbOf(greyPng(100));
  assert.deepEqual([green, blue], [100, 200]);
  const cut = greyPng(100).subarray(0, 40);
  const [, , still] = glbOf(cut);
  assert.equal(still, 200);
});

test('morphs: weights that bring a vertex to where it was dragged', () => {
  // A triangle with one target that lifts its last corner by 1.
  const numbers = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const base64 = Buffer.from(numbers.buffer).toString('base64');
  const gltf = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }], extras: { targetNames: ['lift'] } }],
    buffers: [{ byteLength: 72, uri: `data:application/octet-stream;base64,${base64}` }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 36 }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 1] },
    ],
  };
  call('put_file', { name: 'face.gltf', bytes: text(JSON.stringify(gltf)) });
  const { id } = call('open', { file: 'face.gltf' });
  assert.deepEqual(call('morphs', { id }).instances[0].names, ['lift']);
  const drag = call('morph_drag', { id, instance: 0, primitive: 0, handles: [{ vertex: 2, position: [0, 1, 0.25] }] });
  near(drag.weights[0], 0.25, 1e-3);
});

test('an instance that begins with the memory of another has its documents', async () => {
  const { Instance, modules } = await import('./start.mjs');
  const id = rigged();
  const other = Instance.create(modules, () => {}, core.snapshot());
  assert.deepEqual(other.call('state', { id }), core.call('state', { id }));
  assert.deepEqual(other.call('export', { id, name: 'a.glb' }), core.call('export', { id, name: 'a.glb' }));
});

test('broken files are told, and the core goes on', () => {
  const id = rigged();
  const whole = call('export', { id, name: 'hero.glb' }).files.at(-1).bytes;
  let refused = 0;
  for (let i = 1; i <= 60; ++i) {
    const bytes = whole.slice(0, i % 2 ? whole.length : Math.floor((whole.length * i) / 61));
    if (i % 2) for (let k = 0; k < 40; ++k) bytes[(i * 7919 + k * 104729) % 3000] ^= 1 << (k % 8);
    core.call('put_file', { name: 'broken.glb', bytes });
    try {
      core.call('close', { id: core.call('open', { file: 'broken.glb' }).id });
    } catch (error) {
      assert.ok(error instanceof OperationError, String(error));
      ++refused;
    }
  }
  assert.ok(refused > 40, `${refused} of 60 were refused`);
  assert.ok(call('state', { id }).state.rigged);
});

test('closing gives the memory back: twenty files open and close in the room of a few', () => {
  const fresh = start();
  const bytes = core.call('export', { id: rigged('humanoid-rigged', 'walk'), name: 'hero.glb' }).files.at(-1).bytes;
  const round = () => {
    fresh.call('put_file', { name: 'hero.glb', bytes });
    const { id } = fresh.call('open', { file: 'hero.glb' });
    fresh.call('animate', { id, motions: ['run'] });
    fresh.call('close', { id });
    fresh.call('remove_file', {});
  };
  for (let i = 0; i < 3; ++i) round();
  const before = fresh.byteLength;
  for (let i = 0; i < 20; ++i) round();
  assert.ok(fresh.byteLength <= 1.1 * before, `${before} bytes became ${fresh.byteLength}`);
});

test('what the core is', () => {
  const { version, reads } = call('version');
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.ok(reads.includes('fbx'));
  call('warm_up');
});

after(() => {
  const unused = list.operations.map((each) => each.name).filter((name) => !used.has(name));
  assert.deepEqual(unused, [], 'every operation is tested');
});

test('a joint that does not fit says why', () => {
  const { id } = call('sample', { name: 'quadruped' });
  const { joints } = call('fit', { id, rig: { template: 'biped' } });
  assert.match(joints.find((joint) => joint.reason)?.reason ?? '', /bones leave the body/);
});
