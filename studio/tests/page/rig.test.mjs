// Rig: choices of the fit, joints dragged by hand, and what the exported skeleton says of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../core/start.mjs';
import { built, drag, idle, middle, room, saveGlb, stopped } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const handle = (page, name) => page.getByRole('group', { name: 'Joints' }).getByRole('button', { name, exact: true });
const rigTest = (name, run) =>
  pageTest(name, {}, async (page) => {
    await stopped(page);
    await room(page, 'Rig');
    await handle(page, 'leftLowerArm').waitFor();
    await idle(page);
    await run(page);
  });
const choose = async (page, label, value) => {
  await page.getByLabel(label, { exact: true }).selectOption(value);
  await idle(page);
};
const undo = async (page) => {
  await page.keyboard.press('Control+z');
  await idle(page);
};
// Where a joint is bound, in the mesh's space: the inverse of its inverse bind matrix, which is rigid.
const bound = (glb, name) => {
  const skin = glb.json.skins[0];
  const m = glb.rows(skin.inverseBindMatrices)[skin.joints.indexOf(glb.node(name))];
  const t = [m[12], m[13], m[14]];
  return [0, 1, 2].map((i) => -(m[4 * i] * t[0] + m[4 * i + 1] * t[1] + m[4 * i + 2] * t[2]));
};

rigTest('names and fingers are in the exported skeleton', async (page) => {
  assert.ok((await saveGlb(page)).node('leftIndexProximal') >= 0);
  await choose(page, 'Fingers', '0');
  assert.ok((await saveGlb(page)).node('leftIndexProximal') < 0);
  await choose(page, 'Names', 'mixamo');
  assert.ok((await saveGlb(page)).node('mixamorig:LeftArm') >= 0);
  await undo(page);
  await undo(page);
  assert.ok((await saveGlb(page)).node('leftIndexProximal') >= 0);
});

rigTest('twist joints are added, and a facing that is corrected changes sides', async (page) => {
  const before = await saveGlb(page);
  await page.getByRole('slider', { name: 'Twist joints' }).fill('1');
  const twisted = await saveGlb(page);
  assert.ok(twisted.json.skins[0].joints.length >= before.json.skins[0].joints.length + 4, `${twisted.json.skins[0].joints.length} joints`);
  await page.getByRole('slider', { name: 'Twist joints' }).fill('0');
  const side = (glb) => Math.sign(bound(glb, 'leftHand')[0] - bound(glb, 'rightHand')[0]);
  await choose(page, 'Facing', '-z');
  assert.equal(side(await saveGlb(page)), -side(before));
  await choose(page, 'Facing', '');
  await choose(page, 'Kind', 'biped');
  assert.equal(side(await saveGlb(page)), side(before));
});

rigTest('confidence is shown for the whole and for every joint, in the list and on the joint', async (page) => {
  const sure = await page.getByRole('meter', { name: 'The whole fit' }).getAttribute('aria-valuenow');
  assert.ok(Number(sure) > 50);
  const joints = page.locator('.joint-list button');
  assert.ok((await joints.count()) > 40);
  const first = joints.first();
  const name = await first.locator('.name').textContent();
  assert.match(await handle(page, name).getAttribute('title'), /\d+ % sure/);
  await first.click();
  assert.equal(await handle(page, name).getAttribute('aria-pressed'), 'true');
});

pageTest('every joint tells how sure it is, and a doubtful one why, in the list and on the joint', {}, async (page) => {
  // An animal taken for a person: some joints cannot be where a person has them.
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('menuitem', { name: 'Animal on four legs' }).click();
  await page.waitForFunction(() => document.querySelector('.stage-facts')?.textContent.includes('quadruped'));
  await stopped(page);
  await room(page, 'Rig');
  await page.getByRole('button', { name: 'Fit a new skeleton' }).click();
  await choose(page, 'Kind', 'biped');
  const core = start();
  core.call('put_file', { name: 'quadruped.glb', bytes: new Uint8Array(readFileSync(join(built, 'samples/quadruped.glb'))) });
  const fit = core.call('fit', { id: core.call('open', { file: 'quadruped.glb' }).id, rig: { template: 'biped' } });
  const percent = (value) => `${Math.round(value * 100)} %`;
  const rows = await page.locator('.joint-list button').evaluateAll((all) => all.map((row) => ['.name', '.quiet-text', '.reason'].map((part) => row.querySelector(part)?.textContent ?? '')));
  assert.deepEqual(rows, fit.joints.map((j) => [j.name, percent(j.confidence), j.reason ?? '']));
  const doubtful = fit.joints.filter((j) => j.reason);
  assert.ok(doubtful.length > 0 && doubtful.length < fit.joints.length, `${doubtful.length} of ${fit.joints.length} are doubtful`);
  for (const j of doubtful) assert.equal(await handle(page, j.name).getAttribute('title'), `${j.name}: ${percent(j.confidence)} sure. ${j.reason}`);
  // What speaks against the whole stands above, and the least sure joint has another colour than the surest one.
  const cues = await page.locator('.cues li').allTextContents();
  for (const cue of fit.cues.filter((c) => c.value < 0.95)) assert.ok(cues.some((text) => text.includes(`${cue.name}: ${cue.says}`)), cue.name);
  const sorted = [...fit.joints].sort((a, b) => a.confidence - b.confidence);
  const colour = (j) => handle(page, j.name).evaluate((e) => getComputedStyle(e).backgroundColor);
  assert.notEqual(await colour(sorted[0]), await colour(sorted.at(-1)));
  // The file has the joints that were told of.
  const glb = await saveGlb(page);
  for (const j of fit.joints) assert.ok(glb.node(j.name) >= 0, j.name);
});

rigTest('which way is up is corrected, and the body lies', async (page) => {
  const height = (glb) => Math.abs(bound(glb, 'head')[1] - bound(glb, 'leftFoot')[1]);
  const before = await saveGlb(page);
  await choose(page, 'Up', 'z');
  const glb = await saveGlb(page);
  assert.ok(glb.node('head') < 0 || height(glb) < 0.5 * height(before), 'the skeleton still stands along y');
  await undo(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
});

rigTest('a dragged elbow moves there in the exported skeleton, its twin mirrors it, and undo brings both back', async (page) => {
  const before = await saveGlb(page);
  const from = await middle(handle(page, 'leftLowerArm'));
  await drag(page, from, { x: from.x + 6, y: from.y + 18 });
  await page.getByText('2 joints placed by hand').waitFor();
  const after = await saveGlb(page);
  const [was, is] = [bound(before, 'leftLowerArm'), bound(after, 'leftLowerArm')];
  assert.ok(was[1] - is[1] > 0.02, `the elbow went from ${was} to ${is}`);
  const twin = bound(after, 'rightLowerArm');
  assert.ok(Math.abs(twin[0] + is[0]) < 0.02 && Math.abs(twin[1] - is[1]) < 0.02, `left ${is}, right ${twin}`);
  // The rest was fitted around it, and the skin bound anew.
  const moved = (name) => Math.hypot(...bound(after, name).map((v, i) => v - bound(before, name)[i]));
  assert.ok(moved('leftFoot') < 1e-6 && moved('head') < 1e-6, 'feet and head went along');
  const [weighed, weighs] = [before, after].map((glb) => glb.weights('leftLowerArm'));
  assert.ok(weighs.reduce((sum, w, v) => sum + Math.abs(w - weighed[v]), 0) > 1, 'the weights are those of before');
  await undo(page);
  assert.deepEqual(bound(await saveGlb(page), 'leftLowerArm'), was);
});

rigTest('a joint moves by the arrow keys too', async (page) => {
  await page.getByLabel('Mirror: move both sides').uncheck();
  const before = bound(await saveGlb(page), 'head');
  await handle(page, 'head').focus();
  await page.keyboard.press('ArrowUp');
  await page.getByText('1 joint placed by hand').waitFor();
  assert.ok(bound(await saveGlb(page), 'head')[1] > before[1] + 0.002);
  await page.getByRole('button', { name: 'Let go' }).click();
  assert.deepEqual(bound(await saveGlb(page), 'head'), before);
});
