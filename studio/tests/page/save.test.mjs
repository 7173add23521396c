// Show and save: every format opens as what it is; pictures and films; cameras.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage, readGlb, room, save } from './harness.mjs';

let p;
before(async () => (p = await openPage()));
after(() => p.done());

test('GLB, VRM, FBX and BVH are what they say', async () => {
  const glb = await save(p.page, 'GLB');
  assert.equal(glb.name, 'humanoid.glb');
  assert.equal(readGlb(glb.bytes).json.animations[0].name, 'walk');
  const vrm = readGlb((await save(p.page, 'VRM')).bytes);
  assert.ok(vrm.json.extensions.VRMC_vrm.humanoid.humanBones.hips);
  assert.match((await save(p.page, 'FBX')).bytes.subarray(0, 18).toString(), /^Kaydara FBX Binary/);
  assert.match((await save(p.page, 'BVH')).bytes.subarray(0, 9).toString(), /^HIERARCHY/);
});

test('cameras look from where they say, and the turntable turns', async () => {
  const { page } = p;
  await page.keyboard.press('k');
  await room(page, 'Show');
  const picture = async () => (await save(page, 'PNG')).bytes;
  await page.getByRole('button', { name: 'Front', exact: true }).click();
  await page.waitForTimeout(800);
  const front = await picture();
  await page.getByRole('button', { name: 'Side', exact: true }).click();
  await page.waitForTimeout(800);
  const side = await picture();
  assert.notEqual(front.compare(side), 0);
  await page.getByLabel('Turntable').check();
  await page.waitForTimeout(1500);
  assert.notEqual((await picture()).compare(side), 0);
  await page.getByLabel('Turntable').uncheck();
});

test('a film of the clip', async () => {
  const film = await save(p.page, 'WebM');
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3); // EBML, as every WebM begins
  assert.ok(film.bytes.length > 20_000);
});

test('nothing went wrong unseen', () => assert.deepEqual(p.errors, []));
