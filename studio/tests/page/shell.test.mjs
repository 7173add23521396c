// The page as one finds it: the sample walks, keys and buttons work, files open, undo undoes, work is kept.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { data, dropFiles, idle, room, save, saveGlb, shown, startOver, withoutData } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const moment = (page) => page.getByRole('timer').textContent();
const facts = (page) => page.locator('.stage-facts').textContent();

pageTest('opens on the sample walking, with three steps for the first time', { hint: true, play: true }, async (page) => {
  assert.match(await facts(page), /^walk/);
  assert.equal(await page.locator('.hint li').count(), 3);
  const first = await moment(page);
  await page.waitForFunction((text) => document.querySelector('[role="timer"]').textContent !== text, first);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.hint').count(), 0);
});

pageTest('the stage is not empty: the body stands before the background', {}, async (page) => {
  const picture = await save(page, 'PNG');
  const colours = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const c = canvas.getContext('2d');
    c.drawImage(image, 0, 0);
    const middle = c.getImageData(image.width * 0.4, image.height * 0.2, image.width * 0.2, image.height * 0.6).data;
    const seen = new Set();
    for (let i = 0; i < middle.length; i += 4) seen.add(`${middle[i] >> 4},${middle[i + 1] >> 4},${middle[i + 2] >> 4}`);
    return seen.size;
  }, [...picture.bytes]);
  assert.ok(colours > 40, `${colours} colours in the middle of the picture`);
});

pageTest('space, arrows, J K L, Home and End', {}, async (page) => {
  await page.keyboard.press('k');
  await page.keyboard.press('Home');
  assert.match(await moment(page), /^0\.00 .* frame 0$/);
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  assert.match(await moment(page), /frame 4$/);
  await page.keyboard.press('End');
  const end = await moment(page);
  await page.keyboard.press('j');
  await page.waitForFunction((text) => document.querySelector('[role="timer"]').textContent !== text, end);
  await page.keyboard.press('k');
  const stopped = await moment(page);
  await page.keyboard.press('l');
  await page.waitForFunction((text) => document.querySelector('[role="timer"]').textContent !== text, stopped);
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
});

pageTest('? shows the keys and closes them', {}, async (page) => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Play or stop').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

pageTest('a sample from the menu, undo and redo', {}, async (page) => {
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('menuitem', { name: 'Animal on four legs' }).click();
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.includes('quadruped'));
  await idle(page);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.includes('person'));
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.includes('quadruped'));
  await page.keyboard.press('Control+z');
  await idle(page);
});

pageTest('a mesh is dropped, rigged, and walks in the exported file', { skip: withoutData }, async (page) => {
  await dropFiles(page, [join(data, 'mesh-unrigged', 'spot.obj')]);
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('spot'));
  await idle(page);
  const glb = await saveGlb(page);
  assert.equal(glb.json.animations[0].name, 'walk');
  assert.ok(glb.json.skins[0].joints.length > 10);
  await page.keyboard.press('Control+z');
  await idle(page);
});

pageTest('what cannot be read is said in a sentence, and the page goes on', {}, async (page) => {
  const before = await facts(page);
  await dropFiles(page, [{ name: 'broken.glb', bytes: [103, 108, 84, 70, 2, 0, 0, 0, 9, 9, 9, 9] }]);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.textContent(), /broken\.glb/);
  await dropFiles(page, [{ name: 'notes.txt', bytes: [1] }]);
  await page.getByText('no character and no motion').waitFor();
  assert.equal(await facts(page), before);
  await page.keyboard.press('Home');
  assert.match(await moment(page), /frame 0$/);
});

pageTest('the command line of what was done is copied', {}, async (page) => {
  await page.getByRole('button', { name: 'Copy as command line' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'sinew animate humanoid.glb --motion walk -o humanoid-walk.glb');
});

pageTest('the work file brings everything back, and a reload does too', {}, async (page) => {
  await room(page, 'Move');
  await page.getByRole('group', { name: 'Built-in motions' }).getByRole('button', { name: 'wave' }).click();
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.startsWith('wave'));
  await idle(page);
  const file = await save(page, 'Work file');
  assert.equal(file.name, 'humanoid.sinew.json');
  await page.waitForFunction(() => document.documentElement.dataset.kept === 'yes');
  await page.reload();
  await shown(page);
  assert.deepEqual((await saveGlb(page)).json.animations.map((a) => a.name), ['wave', 'walk']);
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('menuitem', { name: 'Arm' }).click();
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('arm'));
  await idle(page);
  await dropFiles(page, [{ name: file.name, bytes: [...file.bytes] }]);
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('humanoid'));
  await idle(page);
  assert.deepEqual((await saveGlb(page)).json.animations.map((a) => a.name), ['wave', 'walk']);
});

pageTest('Start over brings the sample back, also for the next visit, and undo brings the work back', {}, async (page) => {
  const clips = async () => (await saveGlb(page)).json.animations.map((a) => a.name);
  const first = (await save(page, 'GLB')).bytes;
  await room(page, 'Move');
  await page.getByRole('group', { name: 'Built-in motions' }).getByRole('button', { name: 'wave' }).click();
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.startsWith('wave'));
  await idle(page);
  await startOver(page);
  assert.equal((await save(page, 'GLB')).bytes.compare(first), 0);
  await page.keyboard.press('Control+z');
  await idle(page);
  assert.deepEqual(await clips(), ['wave', 'walk']);
  await startOver(page);
  await page.waitForFunction(() => document.documentElement.dataset.kept === 'yes');
  await page.reload();
  await shown(page);
  assert.equal((await save(page, 'GLB')).bytes.compare(first), 0);
});

pageTest('nothing is asked of any other machine', { own: true }, async (page, { requests, address }) => {
  await save(page, 'GLB');
  await save(page, 'PNG');
  assert.ok(requests.length > 0);
  for (const url of requests) assert.ok(url.startsWith(address) || url.startsWith('blob:') || url.startsWith('data:'), url);
});
