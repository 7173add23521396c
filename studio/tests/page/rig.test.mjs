// Rig: choices of the fit, joints dragged by hand, and what the exported skeleton says of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drag, idle, middle, openPage, room, saveGlb } from './harness.mjs';

let p;
before(async () => {
  p = await openPage();
  await room(p.page, 'Rig');
  await p.page.getByRole('group', { name: 'Joints' }).getByRole('button', { name: 'leftLowerArm', exact: true }).waitFor();
});
after(() => p.done());

const choose = async (label, value) => {
  await p.page.getByLabel(label, { exact: true }).selectOption(value);
  await idle(p.page);
};
// Where a joint is bound, in the mesh's space: the inverse of its inverse bind matrix, which is rigid.
const bound = (glb, name) => {
  const skin = glb.json.skins[0];
  const m = glb.rows(skin.inverseBindMatrices)[skin.joints.indexOf(glb.node(name))];
  const t = [m[12], m[13], m[14]];
  return [0, 1, 2].map((i) => -(m[4 * i] * t[0] + m[4 * i + 1] * t[1] + m[4 * i + 2] * t[2]));
};

test('names, fingers and twist joints are in the exported skeleton', async () => {
  const plain = await saveGlb(p.page);
  assert.ok(plain.node('leftIndexProximal') >= 0);
  await choose('Fingers', '0');
  assert.ok((await saveGlb(p.page)).node('leftIndexProximal') < 0);
  await choose('Names', 'mixamo');
  assert.ok((await saveGlb(p.page)).node('mixamorig:LeftArm') >= 0);
  await p.page.keyboard.press('Control+z');
  await idle(p.page);
  await p.page.keyboard.press('Control+z');
  await idle(p.page);
  assert.ok((await saveGlb(p.page)).node('leftIndexProximal') >= 0);
});

test('twist joints are added, and a facing that is corrected changes sides', async () => {
  const { page } = p;
  const before = await saveGlb(page);
  await page.getByRole('slider', { name: 'Twist joints' }).fill('1');
  await idle(page);
  const twisted = await saveGlb(page);
  assert.ok(twisted.json.skins[0].joints.length >= before.json.skins[0].joints.length + 4, `${twisted.json.skins[0].joints.length} joints`);
  await page.getByRole('slider', { name: 'Twist joints' }).fill('0');
  await idle(page);
  const side = (glb) => Math.sign(bound(glb, 'leftHand')[0] - bound(glb, 'rightHand')[0]);
  await choose('Facing', '-z');
  assert.equal(side(await saveGlb(page)), -side(before));
  await choose('Facing', '');
  await choose('Kind', 'biped');
  assert.equal(side(await saveGlb(page)), side(before));
  await choose('Kind', 'auto');
});

test('confidence is shown for the whole and for every joint', async () => {
  const sure = await p.page.getByRole('meter', { name: 'The whole fit' }).getAttribute('aria-valuenow');
  assert.ok(Number(sure) > 50);
  assert.ok((await p.page.locator('.joint-list button').count()) > 40);
});

test('a dragged elbow moves there in the exported skeleton, its twin mirrors it, and undo brings both back', async () => {
  const { page } = p;
  const before = await saveGlb(page);
  const elbow = page.getByRole('group', { name: 'Joints' }).getByRole('button', { name: 'leftLowerArm', exact: true });
  const from = await middle(elbow);
  await drag(page, from, { x: from.x + 6, y: from.y + 18 });
  await page.getByText('2 joints placed by hand').waitFor();
  await idle(page);
  const after = await saveGlb(page);
  const [was, is] = [bound(before, 'leftLowerArm'), bound(after, 'leftLowerArm')];
  assert.ok(was[1] - is[1] > 0.02, `the elbow went from ${was} to ${is}`);
  const twin = bound(after, 'rightLowerArm');
  assert.ok(Math.abs(twin[0] + is[0]) < 0.02 && Math.abs(twin[1] - is[1]) < 0.02, `left ${is}, right ${twin}`);
  await page.keyboard.press('Control+z');
  await idle(page);
  assert.deepEqual(bound(await saveGlb(page), 'leftLowerArm'), was);
});

test('a joint moves by the arrow keys too', async () => {
  const { page } = p;
  await page.getByLabel('Mirror: move both sides').uncheck();
  const before = bound(await saveGlb(page), 'head');
  await page.getByRole('group', { name: 'Joints' }).getByRole('button', { name: 'head', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByText('1 joint placed by hand').waitFor();
  await idle(page);
  assert.ok(bound(await saveGlb(page), 'head')[1] > before[1] + 0.002);
  await page.getByRole('button', { name: 'Let go' }).click();
  await idle(page);
});

test('nothing went wrong unseen', () => assert.deepEqual(p.errors, []));
