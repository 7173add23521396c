// Trouble: files cut off anywhere, a core that falls, work that is cancelled. The page says so and goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropFiles, idle, openPage, room, save, saveGlb } from './harness.mjs';

let p;
before(async () => (p = await openPage()));
after(() => p.done());

const stillPlays = async () => {
  await p.page.keyboard.press('l');
  const text = await p.page.getByRole('timer').textContent();
  await p.page.waitForFunction((was) => document.querySelector('[role="timer"]').textContent !== was, text);
  await p.page.keyboard.press('k');
};

test('a GLB cut off anywhere is refused with a sentence that names it', async () => {
  const { page } = p;
  const whole = [...(await save(page, 'GLB')).bytes];
  for (const share of [0.00001, 0.001, 0.3, 0.9]) {
    await dropFiles(page, [{ name: 'cut.glb', bytes: whole.slice(0, Math.ceil(whole.length * share)) }]);
    const alert = page.getByRole('alert').filter({ hasText: 'cut.glb' });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close this message' }).click();
  }
  assert.match(await page.locator('.bar .title').textContent(), /humanoid/);
  await stillPlays();
});

test('files that lie about themselves are refused too', async () => {
  const { page } = p;
  const text = (t) => [...new TextEncoder().encode(t)];
  const bad = [
    { name: 'lie.obj', bytes: text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999\n') },
    { name: 'lie.bvh', bytes: text('HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition\n') },
    { name: 'lie.gltf', bytes: text('{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}]}') },
    { name: 'lie.sinew.json', bytes: text('{"version":1}') },
    { name: 'empty.glb', bytes: [] },
  ];
  for (const file of bad) {
    await dropFiles(page, [file]);
    const alert = page.getByRole('alert').filter({ hasText: file.name });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close this message' }).click();
  }
  await stillPlays();
});

test('a job is cancelled, and everything is as it was', async () => {
  const { page } = p;
  const before = await saveGlb(page);
  await room(page, 'Skin');
  await page.getByRole('button', { name: /^Binding/ }).click();
  await page.getByLabel('Method').last().selectOption('bbw');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled(), true);
});

test('a core that falls is started again, and the work is back', async () => {
  const { page } = p;
  const before = await saveGlb(page);
  await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error('as if memory were full'); }));
  await page.getByText('was started again').waitFor();
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  await stillPlays();
});
