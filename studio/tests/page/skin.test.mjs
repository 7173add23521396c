// Skin: heat map, brush, locks, whole-skin edits, weights along a bone, binding, methods.
import assert from 'node:assert/strict';
import { drag, idle, open, room as goTo, save, saveGlb, stopped } from './harness.mjs';
import { pageTest } from './page_test.mjs';
import { apart, cameraOf, hue, inCore, picture } from './seen.mjs';

const skinTest = (name, run) =>
  pageTest(name, {}, async (page) => {
    await stopped(page);
    await goTo(page, 'Skin');
    await idle(page);
    await run(page);
  });
const sum = (list) => list.reduce((a, b) => a + b, 0);
const choose = (page, name) => page.locator('.joint-list').getByRole('button', { name, exact: true }).click();
const undo = async (page) => {
  await page.keyboard.press('Control+z');
  await idle(page);
};
// The brush is in the hand, and the surface under it is known.
const takeBrush = async (page) => {
  await page.getByRole('button', { name: 'Paint weights' }).click();
  await idle(page);
};

// The colours of the heat map, as hues of light: none is deep blue, one is red.
const ramp = [[0.03, 0.05, 0.32], [0, 0.42, 0.72], [0.12, 0.62, 0.16], [0.95, 0.72, 0.03], [0.86, 0.08, 0.04]];
function rampHue(weight) {
  const at = Math.min(Math.floor(weight * 4), 3);
  const t = weight * 4 - at;
  const share = t * t * (3 - 2 * t);
  return hue(ramp[at].map((v, k) => v * (1 - share) + ramp[at + 1][k] * share));
}
const light = (colour) => colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));

// The vertices that the camera sees, by a depth picture of all triangles: those that nothing stands before.
function seenVertices(camera, positions, triangles, width, height) {
  const points = Array.from({ length: positions.length / 3 }, (_, v) => camera.toPixels([...positions.slice(3 * v, 3 * v + 3)]));
  const depth = new Float64Array(width * height).fill(Infinity);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points[triangles[t + k]]);
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area === 0) continue;
    const [x0, x1] = [Math.min(a.x, b.x, c.x), Math.max(a.x, b.x, c.x)].map(Math.floor);
    const [y0, y1] = [Math.min(a.y, b.y, c.y), Math.max(a.y, b.y, c.y)].map(Math.floor);
    for (let y = Math.max(y0, 0); y <= Math.min(y1, height - 1); y++)
      for (let x = Math.max(x0, 0); x <= Math.min(x1, width - 1); x++) {
        const u = ((b.x - x - 0.5) * (c.y - y - 0.5) - (c.x - x - 0.5) * (b.y - y - 0.5)) / area;
        const v = ((c.x - x - 0.5) * (a.y - y - 0.5) - (a.x - x - 0.5) * (c.y - y - 0.5)) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        depth[y * width + x] = Math.min(depth[y * width + x], u * a.depth + v * b.depth + (1 - u - v) * c.depth);
      }
  }
  const close = 0.002; // of the distance
  return points.map((p) => {
    const at = Math.floor(p.y) * width + Math.floor(p.x);
    return p.x >= 0 && p.y >= 0 && p.x < width && p.y < height && p.depth < depth[at] * (1 + close) ? p : null;
  });
}

pageTest('choosing a joint shows the weights that the core has as colours', { sharpness: 1 }, async (page) => {
  await stopped(page);
  const character = inCore((await save(page, 'GLB')).bytes);
  const camera = await cameraOf(page, character);
  await goTo(page, 'Skin');
  await choose(page, 'leftUpperLeg');
  const shown = await picture(page);
  const [{ positions }] = character.call('deform', { clip: '0', time: 0 }).parts;
  const [{ triangles }] = character.call('geometry').parts;
  const [skin] = character.call('weights').parts;
  const weightsOf = (name) => {
    const joint = skin.joints.indexOf(character.index(name));
    return Array.from({ length: skin.first.length - 1 }, (_, v) => {
      let weight = 0;
      for (let i = skin.first[v]; i < skin.first[v + 1]; i++) if (skin.joint[i] === joint) weight = skin.weight[i];
      return weight;
    });
  };
  const seen = seenVertices(camera, positions, triangles, Math.round(shown.width / shown.ratio), Math.round(shown.height / shown.ratio));
  const near = 30; // degrees: the light is not quite white
  const fits = (name) => {
    const weights = weightsOf(name);
    const found = [[], [], [], [], []]; // by weight: whether the colour fits
    seen.forEach((point, v) => {
      const colour = point && shown.at(point);
      const is = colour && hue(light(colour));
      if (is !== null) found[Math.min(Math.floor(weights[v] * 5), 4)].push(apart(is, rampHue(weights[v])) < near);
    });
    return found.map((list) => ({ count: list.length, share: list.filter(Boolean).length / Math.max(list.length, 1) }));
  };
  for (const [i, { count, share }] of fits('leftUpperLeg').entries())
    assert.ok(count >= 5 && share > 0.85, `weights from ${i / 5}: of ${count} vertices ${(share * 100).toFixed(0)} % have the colour of their weight`);
  assert.ok(fits('leftLowerLeg')[4].share < 0.1, 'the colours fit another joint too');
});

skinTest('a stroke adds weight where it went, on this side of the body only; weights still sum to one', async (page) => {
  await choose(page, 'spine');
  const before = (await saveGlb(page)).weights('spine');
  await page.getByLabel('Mirror: paint both sides').uncheck();
  await takeBrush(page);
  const box = await page.locator('main.stage').boundingBox();
  const chest = { x: box.x + box.width * 0.5, y: box.y + box.height * 0.36 };
  await drag(page, chest, { x: chest.x + 14, y: chest.y + 8 }, 6);
  await page.getByRole('button', { name: /^Undo: Paint spine/ }).waitFor();
  await idle(page);
  const glb = await saveGlb(page);
  const after = glb.weights('spine');
  const more = after.map((w, v) => w - before[v]);
  assert.ok(sum(more) > 0.5, `gained ${sum(more)}`);
  const holder = glb.json.nodes.find((n) => n.skin !== undefined);
  const { attributes } = glb.json.meshes[holder.mesh].primitives[0];
  const positions = glb.rows(attributes.POSITION);
  const touched = more.flatMap((m, v) => (Math.abs(m) > 1e-3 ? [positions[v]] : []));
  assert.ok(touched.every(([, , z]) => z > -0.05), 'the back was painted through the chest');
  for (const row of glb.influences(attributes)) assert.ok(Math.abs(sum(row.map(([, w]) => w)) - 1) < 1e-3);
  await undo(page);
  assert.ok(sum((await saveGlb(page)).weights('spine').map((w, v) => Math.abs(w - before[v]))) < 1e-3);
});

skinTest('a locked joint keeps its weights under the brush', async (page) => {
  const locked = 'chest';
  await choose(page, locked);
  await page.getByLabel(`Lock ${locked}`).check();
  await choose(page, 'spine');
  const before = (await saveGlb(page)).weights(locked);
  await takeBrush(page);
  const box = await page.locator('main.stage').boundingBox();
  const at = { x: box.x + box.width * 0.5, y: box.y + box.height * 0.36 };
  await drag(page, at, { x: at.x + 14, y: at.y + 8 }, 6);
  await page.getByRole('button', { name: /^Undo: Paint spine/ }).waitFor();
  await idle(page);
  const after = (await saveGlb(page)).weights(locked);
  await page.keyboard.press('Escape');
  await undo(page);
  const most = after.reduce((m, w, v) => Math.max(m, Math.abs(w - before[v])), 0);
  assert.ok(most < 2e-3, `a weight of the locked joint changed by ${most}`);
});

skinTest('the brush subtracts, smooths and sets, on both sides where mirrored', async (page) => {
  await choose(page, 'spine');
  const start = await saveGlb(page);
  const { attributes } = start.json.meshes[start.json.nodes.find((n) => n.skin !== undefined).mesh].primitives[0];
  const x = start.rows(attributes.POSITION).map((row) => row[0]);
  const before = start.weights('spine');
  for (const [mode, mirror] of [['Subtract', false], ['Smooth', false], ['Set', true]]) {
    await page.getByRole('radio', { name: mode, exact: true }).check({ force: true });
    await page.getByLabel('Mirror: paint both sides').setChecked(mirror);
    await takeBrush(page);
    const box = await page.locator('main.stage').boundingBox();
    const at = { x: box.x + box.width * 0.5 + 26, y: box.y + box.height * 0.4 };
    await drag(page, at, { x: at.x + 4, y: at.y + 14 }, 5);
    await page.getByRole('button', { name: /^Undo: Paint spine/ }).waitFor();
    await idle(page);
    const more = (await saveGlb(page)).weights('spine').map((w, v) => w - before[v]);
    const moved = (side) => sum(more.map((m, v) => (side * x[v] > 0.03 ? Math.abs(m) : 0)));
    assert.ok(sum(more.map(Math.abs)) > 0.01, `${mode}: ${sum(more.map(Math.abs))}`);
    if (mode === 'Subtract') assert.ok(sum(more) < -0.05, `${sum(more)} after subtracting`);
    const [left, right] = [moved(1), moved(-1)];
    if (mirror) assert.ok(Math.min(left, right) > 0.5 * Math.max(left, right), `${left} on one side, ${right} on the other`);
    else assert.ok(Math.min(left, right) < 0.5 * Math.max(left, right), `${mode}: ${left} on one side, ${right} on the other`);
    await page.keyboard.press('Escape');
    await undo(page);
  }
});

skinTest('the whole skin is smoothed, and weights along a bone follow the knots', async (page) => {
  const before = (await saveGlb(page)).weights('leftLowerArm');
  await open(page, 'Whole skin');
  await page.getByRole('button', { name: 'Smooth', exact: true }).click();
  await page.getByRole('button', { name: /^Undo: Smooth weights/ }).waitFor();
  await idle(page);
  assert.ok(sum((await saveGlb(page)).weights('leftLowerArm').map((w, v) => Math.abs(w - before[v]))) > 0.1);
  await undo(page);
  await choose(page, 'leftLowerArm');
  await open(page, 'Weights along the bone');
  const knot = page.getByLabel('Weight at 40 % of the bone');
  await knot.waitFor();
  await idle(page);
  const drawn = await page.locator('.bone-curve').evaluate((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((_, i) => i % 4 === 3).filter((a) => a > 0).length);
  assert.ok(drawn > 500, `${drawn} pixels of the curve are drawn`);
  await knot.fill('1');
  await page.getByRole('button', { name: /^Undo: Weights along leftLowerArm/ }).waitFor();
  await idle(page);
  assert.ok(sum((await saveGlb(page)).weights('leftLowerArm')) > sum(before) + 1);
  await undo(page);
});

skinTest('a knot of the weights along a bone is dragged', async (page) => {
  await choose(page, 'leftLowerArm');
  await open(page, 'Weights along the bone');
  const knot = page.getByLabel('Weight at 40 % of the bone');
  await knot.waitFor();
  await idle(page);
  const before = (await saveGlb(page)).weights('leftLowerArm');
  await page.locator('.bone-curve').scrollIntoViewIfNeeded();
  const box = await page.locator('.bone-curve').boundingBox();
  const edge = 10; // pixels around the curve
  const at = { x: box.x + edge + 0.4 * (box.width - 2 * edge), y: box.y + box.height - edge - Number(await knot.inputValue()) * (box.height - 2 * edge) };
  await drag(page, at, { x: at.x, y: box.y + edge }, 6);
  await page.getByRole('button', { name: /^Undo: Weights along leftLowerArm/ }).waitFor();
  await idle(page);
  const more = sum((await saveGlb(page)).weights('leftLowerArm')) - sum(before);
  assert.ok(more > 1, `${more} more of the joint`);
  assert.ok(Number(await knot.inputValue()) > 0.8, `${await knot.inputValue()} at the knot`);
});

skinTest('the whole skin is mirrored, pruned and limited; sums stay one', async (page) => {
  await open(page, 'Whole skin');
  for (const [name, label] of [['Mirror', 'Mirror weights'], ['Prune', 'Prune weights'], ['Limit to 4', 'Limit to 4 joints']]) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: `Undo: ${label}` }).waitFor();
    await idle(page);
    const glb = await saveGlb(page);
    const { attributes } = glb.json.meshes[glb.json.nodes.find((n) => n.skin !== undefined).mesh].primitives[0];
    const rows = glb.influences(attributes);
    for (const row of rows) assert.ok(Math.abs(sum(row.map(([, w]) => w)) - 1) < 1e-3);
    if (name === 'Prune') assert.ok(rows.every((row) => row.every(([, w]) => w === 0 || w > 0.009)));
    if (name === 'Limit to 4') assert.ok(rows.every((row) => row.filter(([, w]) => w > 0).length <= 4));
  }
});

skinTest('binding anew with another method and fewer influences, with the report beside it', async (page) => {
  await open(page, /^Binding/);
  await page.getByLabel('Influences').selectOption('1');
  await idle(page);
  const glb = await saveGlb(page);
  for (const name of ['spine', 'leftHand']) assert.ok(glb.weights(name).every((w) => w < 1e-6 || w > 1 - 1e-6));
  assert.match(await page.locator('.facts').textContent(), /Joints per vertex1Vertices without weights0/);
  await page.getByLabel('Method').last().selectOption('distance');
  await idle(page);
  assert.match(await page.getByRole('button', { name: /^Binding/ }).textContent(), /distance/);
  assert.notDeepEqual((await saveGlb(page)).weights('spine'), glb.weights('spine'));
  await undo(page);
});

skinTest('methods of deformation change the picture', async (page) => {
  await page.getByLabel('Show the weights of the chosen joint').uncheck();
  const pictures = [];
  for (const method of ['lbs', 'dqs', 'rigid']) {
    await page.getByLabel('Method').first().selectOption(method);
    await idle(page);
    pictures.push((await save(page, 'PNG')).bytes);
  }
  assert.notEqual(pictures[0].compare(pictures[1]), 0);
  assert.notEqual(pictures[1].compare(pictures[2]), 0);
});
