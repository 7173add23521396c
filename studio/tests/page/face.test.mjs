// Face: morph targets by slider and by dragging a point, as keys of the exported clip.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { data, dropFiles, idle, room, saveGlb, withoutData } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const file = join(data, 'gltf-khronos/AnimatedMorphCube.glb');
const faceTest = (name, run) =>
  pageTest(name, { skip: existsSync(file) ? false : withoutData || `there is no ${file}` }, async (page) => {
    await dropFiles(page, [file]);
    await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('AnimatedMorphCube'));
    await idle(page);
    for (const key of ['k', 'Home']) await page.keyboard.press(key);
    await room(page, 'Face');
    await idle(page);
    await run(page);
  });

// All keys of the morph weights of the first clip, a row per moment.
const weights = (glb) => {
  const { channels, samplers } = glb.json.animations[0];
  const sampler = samplers[channels.find((c) => c.target.path === 'weights').sampler];
  const times = glb.rows(sampler.input).flat();
  const values = glb.rows(sampler.output).flat();
  return times.map((time, i) => ({ time, row: values.slice((i * values.length) / times.length, ((i + 1) * values.length) / times.length) }));
};

faceTest('a slider set and keyed is in the exported clip', async (page) => {
  const slider = page.locator('.panel input[type="range"]').first();
  await slider.fill('0.6');
  await page.getByRole('button', { name: 'Set a key', exact: true }).click();
  await page.getByRole('button', { name: /^Undo: Key the face/ }).waitFor();
  await idle(page);
  const [first] = weights(await saveGlb(page));
  assert.ok(Math.abs(first.row[0] - 0.6) < 1e-3, `${first.row} at ${first.time} s`);
});

faceTest('a point that is dragged moves the sliders, and its key is in the exported clip', async (page) => {
  const values = () => page.locator('.panel input[type="range"]').evaluateAll((all) => all.map((e) => Number(e.value)));
  const before = await values();
  const box = await page.locator('main.stage').boundingBox();
  const at = { x: box.x + box.width / 2, y: box.y + box.height * 0.48 };
  await page.mouse.move(at.x - 40, at.y);
  await idle(page); // the surface under the pointer is made
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y - 80, { steps: 8 });
  await page.waitForFunction((was) => [...document.querySelectorAll('.panel input[type="range"]')].some((e, i) => Math.abs(Number(e.value) - was[i]) > 0.02), before);
  await page.mouse.up();
  await idle(page);
  const shown = await values();
  await page.getByRole('button', { name: 'Set a key', exact: true }).click();
  await page.getByRole('button', { name: /^Undo: Key the face/ }).waitFor();
  await idle(page);
  const [first] = weights(await saveGlb(page));
  const step = 0.01; // of a slider
  shown.forEach((value, i) => assert.ok(Math.abs(first.row[i] - value) <= step, `${first.row} instead of ${shown}`));
});
