// Open: the dialog, several files at once, textures, motions of other formats, and files that bring a skeleton.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../core/start.mjs';
import { built, data, dropFiles, idle, pickFiles, save, saveGlb, stopped, withoutData } from './harness.mjs';
import { pageTest } from './page_test.mjs';
import { cameraOf, inCore } from './seen.mjs';

const title = async (page, name) => {
  await page.waitForFunction((wanted) => document.querySelector('.bar .title').textContent.includes(wanted), name);
  await idle(page);
};
// The sample as the files that the core writes for a name.
const files = (ending) => {
  const core = start();
  const { id } = core.call('sample', { name: 'humanoid' });
  if (ending !== 'obj') core.call('animate', { id, motions: ['wave'] });
  return core.call('export', { id, name: `hero.${ending}` }).files.map((f) => ({ name: f.name, bytes: [...f.bytes] }));
};

pageTest('an OBJ with its material, its texture and a motion, dropped at once', {}, async (page) => {
  const parts = files('obj');
  assert.ok(parts.some((f) => f.name.endsWith('.mtl')) && parts.some((f) => f.name.endsWith('.png')), parts.map((f) => f.name).join());
  await dropFiles(page, [...files('bvh'), ...parts]);
  await title(page, 'hero.obj');
  const { json } = await saveGlb(page);
  assert.equal(json.animations[0].name, 'hero');
  assert.equal(json.images.length, 1);
  assert.ok(json.materials[0].pbrMetallicRoughness.baseColorTexture);
});

pageTest('a GLB from the open dialog', {}, async (page) => {
  await pickFiles(page, [join(built, 'samples/quadruped.glb')]);
  await title(page, 'quadruped.glb');
  assert.match(await page.locator('.stage-facts').textContent(), /quadruped/);
  const { json } = await saveGlb(page);
  assert.deepEqual([json.animations.map((a) => a.name), json.skins.length], [['walk'], 1]);
});

pageTest('a glTF of several files, dropped at once', { skip: withoutData }, async (page) => {
  const folder = join(data, 'gltf-khronos/RiggedSimple-separate');
  await dropFiles(page, readdirSync(folder).map((name) => join(folder, name)));
  await title(page, 'RiggedSimple');
  const { json } = await saveGlb(page);
  assert.equal(json.skins[0].joints.length, 2);
  assert.ok(json.animations.length >= 1);
});

pageTest('a VRM keeps its bones, its materials and what makes it an avatar', {}, async (page) => {
  const [vrm] = files('vrm');
  await dropFiles(page, [vrm]);
  await title(page, 'hero.vrm');
  const { json } = await saveGlb(page);
  assert.ok(json.nodes.some((n) => n.name === 'leftUpperArm'));
  assert.ok(json.materials.length >= 1);
  const length = Buffer.from(vrm.bytes).readUInt32LE(12);
  const given = JSON.parse(Buffer.from(vrm.bytes.slice(20, 20 + length)).toString());
  assert.deepEqual(json.skins[0].joints.map((j) => json.nodes[j].name), given.skins[0].joints.map((j) => given.nodes[j].name));
  const again = await save(page, 'VRM');
  assert.ok(again.bytes.includes('VRMC_vrm'));
});

pageTest('a fox keeps its own skeleton and its own clips', { skip: withoutData }, async (page) => {
  await dropFiles(page, [join(data, 'gltf-khronos/Fox.glb')]);
  await title(page, 'Fox.glb');
  const { json } = await saveGlb(page);
  assert.deepEqual(json.animations.map((a) => a.name), ['Survey', 'Walk', 'Run']);
  assert.ok(json.skins[0].joints.some((j) => json.nodes[j].name === 'b_Spine01_02'), json.nodes.map((n) => n.name).join());
});

pageTest('after a file without joints the next character is seen as the first one was', { skip: withoutData }, async (page) => {
  await dropFiles(page, [join(data, 'gltf-khronos/AnimatedMorphCube.glb')]);
  await title(page, 'AnimatedMorphCube.glb');
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('menuitem', { name: 'Person' }).first().click();
  await title(page, 'humanoid.glb');
  await stopped(page);
  const { azimuth, elevation } = await cameraOf(page, inCore((await save(page, 'GLB')).bytes));
  assert.ok(Math.abs(azimuth) < 1 && Math.abs(elevation - 6) < 1, `from ${azimuth}° and ${elevation}° up`);
});

pageTest('an AMC with its ASF is a motion', { skip: withoutData }, async (page) => {
  await dropFiles(page, [join(data, 'asf-amc/07_05-walk.amc'), join(data, 'asf-amc/07-walk.asf')]);
  await page.waitForFunction(() => document.querySelector('.stage-facts').textContent.startsWith('07_05'));
  await idle(page);
  const { json } = await saveGlb(page);
  assert.deepEqual(json.animations.map((a) => a.name), ['07_05-walk', 'walk']);
});

pageTest('formats that the page cannot read: it says which command converts them', {}, async (page) => {
  await dropFiles(page, [{ name: 'house.dae', bytes: [...new TextEncoder().encode('<COLLADA/>')] }]);
  await page.getByRole('alert').filter({ hasText: 'sinew convert' }).waitFor();
});
