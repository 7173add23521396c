// Move: motions, how they are put on, posing with reach and rings, mixing, and the exported clips.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { start } from '../core/start.mjs';
import { data, drag, dropFiles, idle, middle, open, room, save, saveGlb, stopped, withoutData } from './harness.mjs';
import { pageTest } from './page_test.mjs';
import { cameraOf, changed, cross, inCore, picture, unit } from './seen.mjs';

const moveTest = (name, run, options = {}) =>
  pageTest(name, options, async (page) => {
    await room(page, 'Move');
    await stopped(page);
    await run(page);
  });
const clips = (glb) => glb.json.animations.map((a) => a.name);
const differs = (a, b) => a.values.some((row, i) => row.some((v, k) => Math.abs(v - (b.values[i]?.[k] ?? NaN)) > 1e-3 || b.values[i] === undefined));
// The sample with a cape: a sheet that hangs from its shoulders.
function caped() {
  const core = start();
  const files = core.call('export', { id: core.call('sample', { name: 'humanoid' }).id, name: 'caped.obj' }).files;
  const obj = files.find((f) => f.name.endsWith('.obj'));
  const text = new TextDecoder().decode(obj.bytes);
  const first = text.split('\n').filter((line) => line.startsWith('v ')).length + 1;
  const [columns, rows] = [9, 13];
  const lines = ['o cape', 'usemtl cape'];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) lines.push(`v ${((x / (columns - 1) - 0.5) * 0.44).toFixed(4)} ${(1.4 - (0.8 * y) / (rows - 1)).toFixed(4)} ${(-0.16 - (0.1 * y) / (rows - 1)).toFixed(4)}`);
  for (let y = 0; y + 1 < rows; y++)
    for (let x = 0; x + 1 < columns; x++) {
      const v = first + y * columns + x;
      lines.push(`f ${v} ${v + columns} ${v + columns + 1} ${v + 1}`);
    }
  obj.bytes = new TextEncoder().encode(`${text}\n${lines.join('\n')}\n`);
  return files.map((f) => ({ name: f.name, bytes: [...f.bytes] }));
}
const undo = async (page) => {
  await page.keyboard.press('Control+z');
  await idle(page);
};

moveTest('built-in motions are added in front and removed', async (page) => {
  await page.getByRole('group', { name: 'Built-in motions' }).getByRole('button', { name: 'run' }).click();
  await page.waitForFunction(() => document.querySelector('.stage-facts').textContent.startsWith('run'));
  assert.deepEqual(clips(await saveGlb(page)), ['run', 'walk']);
  await page.getByRole('button', { name: 'Remove run' }).click();
  assert.deepEqual(clips(await saveGlb(page)), ['walk']);
});

moveTest('staying in place takes the way out of the clip', async (page) => {
  const way = (glb) => {
    const joint = glb.keys(0, 'root', 'translation') ? 'root' : 'hips';
    const { values } = glb.keys(0, joint, 'translation');
    return Math.hypot(values.at(-1)[0] - values[0][0], values.at(-1)[2] - values[0][2]);
  };
  const before = way(await saveGlb(page));
  await open(page, /How walk is put on/);
  await page.getByLabel('Stay in place').check();
  assert.ok(way(await saveGlb(page)) < Math.max(before * 0.1, 0.02));
});

moveTest('feet that are free move otherwise than feet that stand', async (page) => {
  const before = await saveGlb(page);
  await open(page, /How walk is put on/);
  await page.getByLabel('Feet', { exact: true }).selectOption('free');
  assert.ok(differs((await saveGlb(page)).keys(0, 'leftLowerLeg', 'rotation'), before.keys(0, 'leftLowerLeg', 'rotation')));
});

moveTest('where a foot stands is shown, around that foot alone', async (page) => {
  const frames = 9;
  for (let i = 0; i < frames; i++) await page.keyboard.press('ArrowRight');
  await idle(page);
  const time = frames / 30;
  const character = inCore((await save(page, 'GLB')).bytes);
  const { contacts } = character.call('contacts', { clip: '0' });
  const standing = [...new Set(contacts.filter((c) => time >= c.from && time <= c.to).map((c) => c.joint))];
  const others = [...new Set(contacts.map((c) => c.joint))].filter((name) => !standing.includes(name));
  assert.ok(standing.length > 0 && others.length > 0, `${standing} stand, ${others} do not`);
  const camera = await cameraOf(page, character, time);
  await page.keyboard.press('Escape');
  await open(page, /How walk is put on/);
  const plain = await picture(page);
  await page.getByLabel('Show where feet stand').check();
  const pixels = changed(plain, await picture(page));
  const far = 0.15; // metres: wider than the ring
  const around = (name) => {
    const [x, y, z] = character.place(name, time);
    const at = camera.toPixels([x, y, z]);
    const reach = Math.max(...[[far, 0], [-far, 0], [0, far], [0, -far]].map(([dx, dz]) => Math.hypot(camera.toPixels([x + dx, y, z + dz]).x - at.x, camera.toPixels([x + dx, y, z + dz]).y - at.y)));
    return pixels.filter(([px, py]) => Math.hypot(px - at.x, py - at.y) < reach).length;
  };
  for (const name of standing) assert.ok(around(name) > 20, `${around(name)} pixels around ${name}, which stands`);
  const all = standing.map(around).reduce((a, b) => a + b, 0);
  assert.ok(all >= 0.95 * pixels.length, `${pixels.length - all} of ${pixels.length} pixels are around nothing that stands`);
}, { sharpness: 1 });

const turned = ([x, y, z, w], [a, b, c]) => {
  const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
};
// Rodrigues' formula.
const about = (axis, angle, p) => {
  const [c, s, along] = [Math.cos(angle), Math.sin(angle), axis.reduce((sum, v, k) => sum + v * p[k], 0)];
  const side = cross(axis, p);
  return p.map((v, k) => v * c + side[k] * s + axis[k] * along * (1 - c));
};
// What the bone of a joint sweeps within its limits, in the world: the edge of a fan for a hinge, of a cone for the others.
function sweep(character, name) {
  const limit = character.call('joint_limits').limits.find((l) => l.joint === name);
  const [joint, child] = [character.index(name), character.joints.findIndex((j) => j.parent === character.index(name))];
  const { pose, world } = character.frame(0);
  const bone = [...pose.slice(child * 10, child * 10 + 3)];
  const above = character.joints[joint].parent * 16;
  const outside = (p) => [0, 1, 2].map((k) => world[above + k] * p[0] + world[above + 4 + k] * p[1] + world[above + 8 + k] * p[2] + world[joint * 16 + 12 + k]);
  const toWorld = (p) => outside(turned(limit.reference, p));
  const steps = Array.from({ length: 65 }, (_, i) => i / 64);
  if (limit.kind === 'hinge') {
    const axis = unit(limit.axis);
    const flat = bone.map((v, k) => v - axis[k] * axis.reduce((sum, a, i) => sum + a * bone[i], 0));
    return { apex: toWorld([0, 0, 0]), edge: steps.map((s) => toWorld(about(axis, limit.min + s * (limit.max - limit.min), flat))), limit };
  }
  const aside = unit(cross(bone, Math.abs(bone[0]) < Math.hypot(...bone) / 2 ? [1, 0, 0] : [0, 1, 0]));
  const tilted = about(aside, limit.swing, bone);
  return { apex: toWorld([0, 0, 0]), edge: steps.map((s) => toWorld(about(unit(bone), s * 2 * Math.PI, tilted))), limit };
}
const inside = ([x, y], a, b, c) => {
  const side = (p, q) => (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
  const [u, v, w] = [side(a, b), side(b, c), side(c, a)];
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
};

moveTest('the limits of a joint are drawn where the core has them', async (page) => {
  const character = inCore((await save(page, 'GLB')).bytes);
  await page.keyboard.press('2'); // the elbow's fan is seen from the side
  await idle(page);
  const camera = await cameraOf(page, character);
  const kinds = new Set();
  for (const name of ['leftLowerArm', 'leftUpperLeg']) {
    await page.getByRole('group', { name: 'Joints to turn' }).getByRole('button', { name, exact: true }).click();
    await page.getByLabel('Keep and show the limits of joints').uncheck();
    const plain = await picture(page);
    await page.getByLabel('Keep and show the limits of joints').check();
    const drawn = changed(plain, await picture(page));
    const { apex, edge, limit } = sweep(character, name);
    kinds.add(limit.kind);
    const [tip, ...rim] = [apex, ...edge].map(camera.toPixels);
    const covers = (pixel) => rim.slice(1).some((b, i) => inside(pixel, tip, rim[i], b));
    const all = Array.from({ length: plain.width * plain.height }, (_, i) => [((i % plain.width) + 0.5) / plain.ratio, (Math.floor(i / plain.width) + 0.5) / plain.ratio]);
    const wanted = all.filter(covers);
    const both = drawn.filter(covers).length;
    const share = both / (wanted.length + drawn.length - both);
    assert.ok(wanted.length > 300, `${name}: ${wanted.length} pixels`);
    assert.ok(share > 0.8, `${name}, a ${limit.kind}: ${drawn.length} pixels are drawn, ${wanted.length} are within the limits, ${both} are both`);
  }
  assert.deepEqual([...kinds].sort(), ['cone', 'hinge']);
}, { sharpness: 1 });

moveTest('a hand that is dragged becomes keys at this moment, and undo takes them away', async (page) => {
  const before = await saveGlb(page);
  await page.getByRole('radio', { name: 'Reach (IK)' }).check({ force: true });
  const hand = page.getByRole('group', { name: 'Body' }).getByRole('button', { name: 'leftHand' });
  await hand.waitFor();
  await idle(page);
  const from = await middle(hand);
  await drag(page, from, { x: from.x + 60, y: from.y - 90 }, 12);
  await page.getByRole('button', { name: /^Undo: Pose/ }).waitFor();
  await idle(page);
  const now = await middle(hand);
  assert.ok(now.y < from.y - 40, `the hand went from ${from.y} to ${now.y}`);
  const after = await saveGlb(page);
  assert.ok(differs(after.keys(0, 'leftUpperArm', 'rotation'), before.keys(0, 'leftUpperArm', 'rotation')));
  await undo(page);
  assert.ok(!differs((await saveGlb(page)).keys(0, 'leftUpperArm', 'rotation'), before.keys(0, 'leftUpperArm', 'rotation')));
});

moveTest('feet, head and hips are dragged too, and the body follows', async (page) => {
  await page.getByRole('radio', { name: 'Reach (IK)' }).check({ force: true });
  for (const [name, moved] of [['rightFoot', 'rightUpperLeg'], ['head', 'spine'], ['hips', 'leftUpperLeg']]) {
    const before = await saveGlb(page);
    const grip = page.getByRole('group', { name: 'Body' }).getByRole('button', { name, exact: true });
    await grip.waitFor();
    await idle(page);
    const from = await middle(grip);
    await drag(page, from, { x: from.x + 24, y: from.y + (name === 'rightFoot' ? -40 : 30) }, 8);
    await page.getByRole('button', { name: /^Undo: Pose/ }).waitFor();
    await idle(page);
    assert.ok(differs((await saveGlb(page)).keys(0, moved, 'rotation'), before.keys(0, moved, 'rotation')), name);
    await undo(page);
  }
});

moveTest('a joint is turned by its rings', async (page) => {
  const before = await saveGlb(page);
  await page.getByRole('radio', { name: 'Turn (FK)' }).check({ force: true });
  const joint = page.getByRole('group', { name: 'Joints to turn' }).getByRole('button', { name: 'rightUpperArm', exact: true });
  await joint.click();
  await idle(page);
  const at = await middle(joint);
  // Somewhere on the rings: places around the joint are tried until one takes hold.
  const posed = () => page.getByRole('button', { name: /^Undo: Pose/ }).count();
  const places = [46, 58, 70].flatMap((radius) => Array.from({ length: 12 }, (_, i) => [radius, (i * Math.PI) / 6]));
  for (const [radius, angle] of places) {
    const from = { x: at.x + Math.cos(angle) * radius, y: at.y + Math.sin(angle) * radius };
    await drag(page, from, { x: from.x + 30, y: from.y + 30 }, 4);
    await idle(page);
    if (await posed()) break;
  }
  assert.ok(await posed(), 'no ring was found under the pointer');
  // One joint alone: the chosen one, which is another where the press met its handle.
  const after = await saveGlb(page);
  const turned = before.json.nodes.map((n) => n.name).filter((name) => before.keys(0, name, 'rotation') && differs(after.keys(0, name, 'rotation'), before.keys(0, name, 'rotation')));
  assert.equal(turned.length, 1, turned.join());
});

moveTest('a second clip is mixed in on the upper body, and applied', async (page) => {
  await page.getByRole('group', { name: 'Built-in motions' }).getByRole('button', { name: 'wave' }).click();
  await idle(page);
  await page.getByRole('list', { name: 'Clips' }).getByRole('button', { name: 'walk', exact: false }).first().click();
  const before = await saveGlb(page);
  await open(page, /^Mix/);
  await page.getByRole('group', { name: 'Clips to mix in' }).getByRole('button', { name: 'wave' }).click();
  await page.getByLabel('Where', { exact: true }).selectOption('upper');
  const applied = async () => {
    await page.getByRole('button', { name: 'Apply to the clip' }).click();
    await page.getByRole('button', { name: 'Undo: Mix in wave' }).waitFor();
    const after = await saveGlb(page);
    assert.ok(!differs(after.keys(1, 'leftUpperLeg', 'rotation'), before.keys(1, 'leftUpperLeg', 'rotation')), 'the legs went along');
    return after.keys(1, 'rightUpperArm', 'rotation');
  };
  const blended = await applied();
  assert.ok(differs(blended, before.keys(1, 'rightUpperArm', 'rotation')));
  // The same on top instead: another movement of the arm.
  await undo(page);
  await page.getByRole('group', { name: 'Clips to mix in' }).getByRole('button', { name: 'wave' }).click();
  await page.getByLabel('Where', { exact: true }).selectOption('upper');
  await page.getByLabel('Add on top instead of blending').check();
  const layered = await applied();
  assert.ok(differs(layered, before.keys(1, 'rightUpperArm', 'rotation')) && differs(layered, blended));
});

moveTest('a cape swings when cloth is simulated: joints and keys of its own in the file', async (page) => {
  await dropFiles(page, caped());
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('caped'));
  await idle(page);
  const before = await saveGlb(page);
  await open(page, /How walk is put on/);
  await page.getByLabel('Simulate cloth').check();
  const after = await saveGlb(page);
  const added = after.json.nodes.map((n) => n.name).filter((name) => before.node(name) < 0);
  assert.ok(added.length > 20, `${added.length} joints were added`);
  const swings = added.filter((name) => after.keys(0, name, 'translation')?.values.some((row, _, all) => Math.hypot(row[0] - all[0][0], row[1] - all[0][1], row[2] - all[0][2]) > 0.02));
  assert.ok(swings.length > 10, `${swings.length} of them move by 2 cm`);
  await undo(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
});

moveTest('a motion file is dropped, mapped, and one row of the map is corrected', async (page) => {
  await dropFiles(page, [join(data, 'bvh-cmu/02_01.bvh')]);
  await page.waitForFunction(() => document.querySelector('.stage-facts').textContent.startsWith('02_01'));
  await idle(page);
  await open(page, /^Joint map/);
  const before = await saveGlb(page);
  const row = page.getByLabel('Joint for LeftForeArm', { exact: true });
  const found = await row.inputValue();
  assert.equal(found, 'leftLowerArm');
  await row.selectOption('');
  const after = await saveGlb(page);
  const bends = (glb) => glb.keys(0, found, 'rotation')?.values.some((r, _, all) => r.some((v, k) => Math.abs(v - all[0][k]) > 1e-3)) ?? false;
  assert.ok(bends(before) && !bends(after), 'the elbow of nobody still bends');
  // A row of a joint that moves nothing is still there; what it is given is what was found before.
  await row.selectOption(found);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  await page.getByLabel('Joint for RightForeArm', { exact: true }).selectOption('');
  await page.getByRole('button', { name: 'Back to the map as found' }).click();
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
}, { skip: withoutData });
