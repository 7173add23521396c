// Time: scrubbing, the played part, keys moved and deleted, curves with tangents, trails and onion skins.
import assert from 'node:assert/strict';
import { drag, idle, middle, room, save, saveGlb, stopped } from './harness.mjs';
import { pageTest } from './page_test.mjs';
import { cameraOf, changed, inCore, picture } from './seen.mjs';

const timeTest = (name, run, options = {}) =>
  pageTest(name, options, async (page) => {
    await stopped(page);
    await run(page);
  });
const now = async (page) => Number((await page.getByRole('timer').textContent()).split(' ')[0]);
const length = async (page) => Number((await page.getByRole('timer').textContent()).match(/\/ ([\d.]+)/)[1]);

timeTest('the timeline is scrubbed, and its ends set the part that is played', async (page) => {
  const box = await page.getByRole('slider', { name: /Moment of the clip/ }).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 6);
  assert.ok(Math.abs((await now(page)) / (await length(page)) - 0.5) < 0.02);
  await drag(page, { x: box.x + box.width - 14, y: box.y + 30 }, { x: box.x + box.width * 0.75, y: box.y + 30 });
  await page.keyboard.press('End');
  assert.ok(Math.abs((await now(page)) / (await length(page)) - 0.75) < 0.03, `${await now(page)} of ${await length(page)}`);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 6);
});

// The place of a joint in the world at a moment of the first clip, by what the file says alone.
function placeOf(glb, joint, time) {
  const mid = (keys, at) => {
    const next = keys.times.findIndex((t) => t >= at - 1e-6);
    if (next <= 0) return keys.values.at(next);
    const share = (at - keys.times[next - 1]) / (keys.times[next] - keys.times[next - 1]);
    return keys.values[next].map((v, k) => keys.values[next - 1][k] * (1 - share) + v * share);
  };
  const parents = new Map(glb.json.nodes.flatMap((n, i) => (n.children ?? []).map((child) => [child, i])));
  const turned = ([x, y, z, w], [a, b, c]) => {
    const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
  };
  let place = [0, 0, 0];
  for (let i = glb.node(joint); i !== undefined; i = parents.get(i)) {
    const { name, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = glb.json.nodes[i];
    const now = (path, rest) => { const keys = glb.keys(0, name, path); return keys ? mid(keys, time) : rest; };
    const q = now('rotation', rotation), t = now('translation', translation), s = now('scale', scale);
    const size = Math.hypot(...q);
    place = turned(q.map((v) => v / size), place.map((v, k) => v * s[k])).map((v, k) => v + t[k]);
  }
  return place;
}

timeTest('the timeline shows keys, and bars while a foot of the exported clip stands', async (page) => {
  const glb = await saveGlb(page);
  const seconds = await length(page);
  // Rows of green pixels from the bottom up: a lane per foot; and grey ones where keys are.
  const { lanes, keys } = await page.locator('.timeline canvas').evaluate((canvas) => {
    const style = getComputedStyle(canvas);
    const probe = document.createElement('canvas').getContext('2d');
    const rgb = (name) => { probe.fillStyle = style.getPropertyValue(name); probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data]; };
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const ratio = width / canvas.clientWidth;
    const has = (colour, x, y) => colour.every((v, k) => Math.abs(data[4 * (y * width + x) + k] - v) < 40);
    const row = (colour, y) => Array.from({ length: width }, (_, x) => has(colour, x, Math.min(Math.round(y * ratio), height - 1)));
    const green = rgb('--good'), grey = rgb('--muted');
    const lane = 6; // pixels of a bar and the room below it
    return { lanes: [0, 1].map((i) => row(green, canvas.clientHeight - 6 - lane * i - 3)), keys: row(grey, 21).filter(Boolean).length };
  });
  assert.ok(keys > 5, `${keys} pixels of keys`);
  const gutter = 14;
  const width = lanes[0].length;
  const ratio = width / (await page.locator('.timeline canvas').boundingBox()).width;
  const timeAt = (x) => ((x / ratio - gutter) / (width / ratio - 2 * gutter)) * seconds;
  const feet = ['leftFoot', 'rightFoot'];
  const speed = (joint, time) => Math.hypot(...placeOf(glb, joint, time + 1 / 60).map((v, k) => v - placeOf(glb, joint, time - 1 / 60)[k])) * 30;
  // Each lane is one of the feet: its bars are where that one is slow.
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  for (const bars of lanes) {
    const inside = [], outside = [];
    for (let x = 0; x < width; x += 3) if (timeAt(x) > 0.05 && timeAt(x) < seconds - 0.05) (bars[x] ? inside : outside).push(timeAt(x));
    assert.ok(inside.length > 5 && outside.length > 5, `${inside.length} columns with a bar, ${outside.length} without`);
    assert.ok(feet.some((foot) => mean(inside.map((t) => speed(foot, t))) < 0.3 * mean(outside.map((t) => speed(foot, t)))), 'no foot stands while the bar is there');
  }
}, { sharpness: 1 });

timeTest('a key of the dope sheet is dragged to another moment, and another one deleted', async (page) => {
  await page.getByRole('radio', { name: 'Keys' }).check({ force: true });
  const sheet = page.getByRole('application', { name: /Keys by joint/ });
  await sheet.waitFor();
  const before = await saveGlb(page);
  const box = await sheet.locator('canvas').boundingBox();
  const row = { x: 0, y: box.y + 16 + 9 }; // the first joint with keys
  const seconds = await length(page);
  const at = (time) => box.x + 150 + (time / seconds) * (box.width - 150 - 14);
  const joints = before.json.animations[0].channels.map((c) => c.target.node);
  const first = before.json.nodes[Math.min(...joints)].name;
  const count = (glb) => glb.json.animations[0].channels.filter((c) => c.target.node === glb.node(first)).map((c) => glb.keys(0, first, c.target.path).times.length);
  const keys = before.keys(0, first, before.json.animations[0].channels.find((c) => c.target.node === before.node(first)).target.path).times;
  const key = keys[Math.floor(keys.length / 2)];
  // Half a frame beyond the next key: between two keys, and none is replaced.
  const times = (glb) => glb.json.animations[0].channels.filter((c) => c.target.node === glb.node(first)).flatMap((c) => glb.keys(0, first, c.target.path).times);
  const step = 3 / 30;
  await drag(page, { x: at(key), y: row.y }, { x: at(key + step), y: row.y }, 6);
  await page.getByRole('button', { name: /^Undo: Move keys/ }).waitFor();
  await idle(page);
  const moved = times(await saveGlb(page));
  assert.ok(!moved.some((t) => Math.abs(t - key) < 1e-3), `a key is still at ${key}`);
  assert.ok(moved.some((t) => Math.abs(t - key - step) < 5e-3), `no key at ${key + step}`);
  await page.keyboard.press('Control+z');
  await idle(page);
  await page.mouse.click(at(key), row.y);
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: /^Undo: Delete keys/ }).waitFor();
  await idle(page);
  assert.ok(Math.max(...count(await saveGlb(page))) < Math.max(...count(before)));
  await page.keyboard.press('Control+z');
  await idle(page);
});

timeTest('a key of a curve is dragged', async (page) => {
  await room(page, 'Skin');
  await page.locator('.joint-list').getByRole('button', { name: 'leftUpperArm', exact: true }).click();
  await page.getByRole('radio', { name: 'Curves' }).check({ force: true });
  await idle(page);
  const before = (await saveGlb(page)).keys(0, 'leftUpperArm', 'rotation');
  const canvas = page.getByRole('img', { name: /Curves of leftUpperArm/ });
  const box = await canvas.boundingBox();
  // The first keys stand at the left end: the one nearest to the pointer is taken.
  let done = false;
  for (let y = box.y + 20; y < box.y + box.height - 4 && !done; y += 7) {
    await drag(page, { x: box.x + 56, y }, { x: box.x + 56, y: y - 30 }, 3);
    await idle(page);
    done = (await page.getByRole('button', { name: /^Undo: Change a curve/ }).count()) > 0;
  }
  assert.ok(done, 'no key was found under the pointer');
  await idle(page);
  const after = (await saveGlb(page)).keys(0, 'leftUpperArm', 'rotation');
  assert.ok(before.values[0].some((v, k) => Math.abs(v - after.values[0][k]) > 1e-3));
  await page.keyboard.press('Control+z');
  await idle(page);
});

timeTest('a tangent of a curve is dragged, and the file has the curve', async (page) => {
  await room(page, 'Skin');
  await page.locator('.joint-list').getByRole('button', { name: 'leftUpperArm', exact: true }).click();
  await page.getByRole('radio', { name: 'Curves' }).check({ force: true });
  await page.getByLabel('Fewer keys').check();
  await idle(page);
  const canvas = page.getByRole('img', { name: /Curves of leftUpperArm/ });
  const box = await canvas.boundingBox();
  const before = await saveGlb(page);
  // A click chooses the first key, Flat lays its tangents down: the outgoing one then ends right of the key.
  const [x, handle] = [box.x + 56, 34];
  const undone = (name) => page.getByRole('button', { name }).count();
  let done = false;
  for (let y = box.y + 20; y < box.y + box.height - 4 && !done; y += 7) {
    await page.mouse.click(x, y);
    if (await page.getByRole('button', { name: 'Flat', exact: true }).isDisabled()) continue;
    await page.getByRole('button', { name: 'Flat', exact: true }).click();
    await page.getByRole('button', { name: /^Undo: Flat tangent/ }).waitFor();
    await idle(page);
    for (let dy = -8; dy <= 8 && !done; dy += 4) {
      await page.mouse.click(x, y);
      await drag(page, { x: x + handle, y: y + dy }, { x: x + handle, y: y + dy - 40 }, 4);
      await idle(page);
      done = (await undone(/^Undo: Change a curve/)) > 0;
    }
  }
  assert.ok(done, 'no tangent was found under the pointer');
  await idle(page);
  const after = await saveGlb(page);
  const [was, is] = [before, after].map((glb) => glb.keys(0, 'leftUpperArm', 'rotation'));
  assert.notDeepEqual(is.values, was.values);
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press('Control+z');
    await idle(page);
  }
});

timeTest('another speed goes on playing, and without loop it stops at the end', async (page) => {
  await page.keyboard.press('k');
  await page.getByLabel('Speed').selectOption('0.5');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => Number(document.querySelector('[role="timer"]').textContent.split(' ')[0]) > 0.1);
  await page.getByLabel('Speed').selectOption('4');
  await page.getByRole('button', { name: 'Loop', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.equal(await now(page), await length(page));
  await page.getByRole('button', { name: 'Loop', exact: true }).click();
  await page.getByLabel('Speed').selectOption('1');
});

timeTest('auto-key off: a pose has no keys until S is pressed, and then all that it moved has', async (page) => {
  await room(page, 'Move');
  await page.getByLabel('Auto-key: keep each pose as keys').uncheck();
  await page.getByRole('radio', { name: 'Reach (IK)' }).check({ force: true });
  const hand = page.getByRole('group', { name: 'Body' }).getByRole('button', { name: 'leftHand' });
  await hand.waitFor();
  await idle(page);
  const before = await saveGlb(page);
  const from = await middle(hand);
  await drag(page, from, { x: from.x + 60, y: from.y - 90 }, 12);
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  await page.keyboard.press('s');
  await page.getByRole('button', { name: /^Undo: Pose/ }).waitFor();
  await idle(page);
  const after = await saveGlb(page);
  for (const joint of ['leftUpperArm', 'leftLowerArm']) assert.notDeepEqual(after.keys(0, joint, 'rotation').values[0], before.keys(0, joint, 'rotation').values[0], joint);
});

timeTest('a key of what is shown is set by hand, and undone', async (page) => {
  await page.keyboard.press('ArrowRight');
  const before = await saveGlb(page);
  await page.keyboard.press('s');
  await page.getByRole('button', { name: /^Undo: Key/ }).waitFor();
  await page.keyboard.press('Control+z');
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
});

timeTest('trails are drawn where the core has the joints, of all that can be grabbed or of the chosen one', async (page) => {
  const character = inCore((await save(page, 'GLB')).bytes);
  const camera = await cameraOf(page, character);
  const seconds = await length(page);
  const moments = Array.from({ length: Math.round(seconds * 30) + 1 }, (_, i) => Math.min(i / 30, seconds));
  const path = (name) => moments.map((time) => camera.toPixels(character.place(name, time)));
  const distance = ([x, y], a, b) => {
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const t = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / Math.max(dx * dx + dy * dy, 1e-9), 0), 1);
    return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
  };
  const drawnAlong = async (names) => {
    await room(page, 'Show');
    await page.getByLabel('Motion trails').uncheck();
    const plain = await picture(page);
    await page.getByLabel('Motion trails').check();
    const pixels = changed(plain, await picture(page));
    const paths = names.map(path);
    const [wide, high] = [plain.width / plain.ratio, plain.height / plain.ratio];
    const seen = paths.flat().filter((p) => p.x > 2 && p.y > 2 && p.x < wide - 2 && p.y < high - 2);
    assert.ok(seen.length > 20, `${seen.length} points are in the picture`);
    const missed = seen.filter((p) => !pixels.some(([x, y]) => Math.hypot(x - p.x, y - p.y) < 3));
    assert.ok(missed.length <= 0.02 * seen.length, `${names}: nothing is drawn at ${missed.length} of ${seen.length} points`);
    const stray = pixels.filter((pixel) => !paths.some((points) => points.slice(1).some((b, i) => distance(pixel, points[i], b) < 4)));
    assert.ok(stray.length <= 0.01 * pixels.length, `${names}: ${stray.length} of ${pixels.length} pixels are away from the path`);
  };
  await drawnAlong(['leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'head', 'hips']);
  await room(page, 'Skin');
  await page.locator('.joint-list').getByRole('button', { name: 'rightLowerArm', exact: true }).click();
  await drawnAlong(['rightLowerArm']);
}, { sharpness: 1 });

timeTest('onion skins are drawn', async (page) => {
  await room(page, 'Show');
  const plain = (await save(page, 'PNG')).bytes;
  await page.getByLabel('Onion skins: before and after').check();
  assert.notEqual((await save(page, 'PNG')).bytes.compare(plain), 0);
});
