// The longest piece of work on the page's main thread in each step of the main path, in milliseconds of processor time: the
// clock of a busy machine says nothing. Data flow: a page and what a person does → Chromium's own trace → a number.
import { drag, dropTaken, idle, middle, open, room, save, takeFiles } from '../tests/page/harness.mjs';

async function longest(page, act) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  await act();
  await idle(page);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`));
  const tasks = traceEvents.filter((e) => e.ph === 'X' && e.name.endsWith('RunTask') && mains.has(`${e.pid} ${e.tid}`));
  return Math.max(...tasks.map((e) => (e.tdur ?? e.dur) / 1000));
}

// `files`: a character to drop.
export async function mainThread(page, files, row) {
  const most = 100; // milliseconds
  const step = async (what, act) => row(`longest task on the main thread: ${what}`, await longest(page, act), 'ms', most);
  const taken = await takeFiles(page, files); // before: the test's own way into the page is no work of the page
  await step('open', async () => {
    await dropTaken(page, taken);
    await page.waitForFunction((name) => document.querySelector('.bar .title').textContent.includes(name), files.at(-1).name);
  });
  for (const key of ['k', 'Home', '1']) await page.keyboard.press(key);
  await idle(page);
  await step('the rig', () => room(page, 'Rig'));
  await step('a joint dragged', async () => {
    const from = await middle(page.getByRole('group', { name: 'Joints' }).getByRole('button', { name: 'leftLowerArm', exact: true }));
    await drag(page, from, { x: from.x + 6, y: from.y + 18 });
    await page.getByText('2 joints placed by hand').waitFor();
  });
  await room(page, 'Skin');
  await step('bind anew', async () => {
    await open(page, /^Binding/);
    await page.getByLabel('Influences').selectOption('8');
  });
  await step('a stroke of paint', async () => {
    await page.locator('.joint-list').getByRole('button', { name: 'spine', exact: true }).click();
    await page.getByRole('button', { name: 'Paint weights' }).click();
    await idle(page);
    const box = await page.locator('main.stage').boundingBox();
    await drag(page, { x: box.x + box.width * 0.5, y: box.y + box.height * 0.36 }, { x: box.x + box.width * 0.5 + 20, y: box.y + box.height * 0.42 }, 12);
    await page.keyboard.press('Escape');
  });
  await room(page, 'Move');
  await step('another motion', () => page.getByRole('group', { name: 'Built-in motions' }).getByRole('button', { name: 'run' }).click());
  await step('scrubbing', async () => {
    const box = await page.getByRole('slider', { name: /Moment of the clip/ }).boundingBox();
    await drag(page, { x: box.x + 20, y: box.y + 6 }, { x: box.x + box.width - 20, y: box.y + 6 }, 30);
  });
  await step('playing for sixty frames', async () => {
    await page.keyboard.press('l');
    await page.evaluate(() => new Promise((done) => {
      let left = 60;
      const count = () => (--left > 0 ? requestAnimationFrame(count) : done());
      requestAnimationFrame(count);
    }));
    await page.keyboard.press('k');
  });
  await step('saving a GLB', () => save(page, 'GLB'));
}
