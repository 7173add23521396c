// Rig: choices of the fit, joints dragged by hand, and what the exported skeleton says of it.
import assert from 'node:assert/strict';
import { drag, idle, middle, room, saveGlb, stopped } from './harness.mjs';
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
