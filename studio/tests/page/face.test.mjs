// Face: morph targets by slider and by dragging a point, as keys of the exported clip.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { data, dropFiles, idle, openPage, room, saveGlb } from './harness.mjs';

const file = join(data, 'gltf-khronos/AnimatedMorphCube.glb');
const skip = !existsSync(file);
let p;
before(async () => {
  if (skip) return;
  p = await openPage();
  await dropFiles(p.page, [file]);
  await p.page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('AnimatedMorphCube'));
  await idle(p.page);
  await p.page.keyboard.press('k');
  await p.page.keyboard.press('Home');
  await room(p.page, 'Face');
});
after(() => p?.done());

// All keys of the morph weights of the first clip, a row per moment.
const weights = (glb) => {
  const { channels, samplers } = glb.json.animations[0];
  const sampler = samplers[channels.find((c) => c.target.path === 'weights').sampler];
  const times = glb.rows(sampler.input).flat();
  const values = glb.rows(sampler.output).flat();
  return times.map((time, i) => ({ time, row: values.slice((i * values.length) / times.length, ((i + 1) * values.length) / times.length) }));
};

test('a slider set and keyed is in the exported clip', { skip }, async () => {
  const { page } = p;
  const slider = page.locator('.panel input[type="range"]').first();
  await slider.fill('0.6');
  await page.getByRole('button', { name: 'Set a key', exact: true }).click();
  await page.getByRole('button', { name: /^Undo: Key the face/ }).waitFor();
  await idle(page);
  const [first] = weights(await saveGlb(page));
  assert.ok(Math.abs(first.row[0] - 0.6) < 1e-3, `${first.row} at ${first.time} s`);
});

test('a point that is dragged moves the sliders', { skip }, async () => {
  const { page } = p;
  const values = () => page.locator('.panel input[type="range"]').evaluateAll((all) => all.map((e) => Number(e.value)));
  const before = await values();
  const box = await page.locator('main.stage').boundingBox();
  const at = { x: box.x + box.width / 2, y: box.y + box.height * 0.48 };
  await page.mouse.move(at.x - 40, at.y);
  await page.waitForTimeout(1000); // the surface under the pointer is made
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y - 80, { steps: 8 });
  await page.waitForFunction((was) => [...document.querySelectorAll('.panel input[type="range"]')].some((e, i) => Math.abs(Number(e.value) - was[i]) > 0.02), before);
  await page.mouse.up();
});

test('nothing went wrong unseen', { skip }, () => assert.deepEqual(p.errors, []));
