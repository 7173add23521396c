// Accessibility: axe-core on every room in both colours; the main path by keyboard alone; a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { idle } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Through the debugger, which the page's policy does not bind.
async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
  return found.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`);
}

for (const theme of ['dark', 'light'])
  pageTest(`no serious violation in any room, ${theme}`, { theme }, async (page) => {
    for (const name of ['Rig', 'Skin', 'Move', 'Face', 'Show']) {
      await page.getByRole('tab', { name }).click();
      await idle(page);
      assert.deepEqual(await violations(page), [], name);
    }
    await page.keyboard.press('?');
    assert.deepEqual(await violations(page), [], 'keys');
    await page.keyboard.press('Escape');
  });

pageTest('from the sample to a saved file by keyboard alone', {}, async (page) => {
  const focus = async (name, role = 'button') => {
    await page.evaluate(() => document.activeElement?.blur());
    const most = 250; // stops on the whole page
    for (let i = 0; i < most; i++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const e = document.activeElement;
        return { name: (e?.getAttribute('aria-label') ?? e?.textContent ?? '').trim(), role: e?.getAttribute('role') ?? e?.tagName.toLowerCase() };
      });
      if (at.name === name && at.role === role) return;
    }
    assert.fail(`${name} was not reached with Tab`);
  };
  await focus('Samples');
  await page.keyboard.press('Enter');
  await page.locator('[role="menuitem"]:focus').waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.includes('quadruped'));
  await idle(page);
  await focus('Move', 'tab');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('heading', { name: 'Skin', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'Move', exact: true }).waitFor();
  await focus('trot');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.stage-facts').textContent.startsWith('trot'));
  await idle(page);
  await focus('Save');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await page.locator('[role="menuitem"]:focus').waitFor();
  await page.keyboard.press('Enter');
  assert.equal((await download).suggestedFilename(), 'quadruped.glb');
});

pageTest('on a phone the stage, the transport and Save are there, and nothing sticks out', { width: 390, height: 780, own: true }, async (page) => {
  for (const name of ['Save', 'Stop', 'Open files']) assert.ok(await page.getByRole('button', { name, exact: true }).or(page.getByRole('button', { name: 'Play', exact: true })).first().isVisible(), name);
  const over = await page.evaluate(() => [...document.querySelectorAll('.bar *, .time *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && e.getBoundingClientRect().width > 0).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(over, []);
});
