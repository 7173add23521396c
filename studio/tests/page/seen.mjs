// What the stage shows, as data: where the core has the joints of a saved file, from where the camera sees them, and which
// pixels of a saved picture have which colour.
import { start } from '../core/start.mjs';
import { idle, room, save } from './harness.mjs';

// A saved file in a core of its own: names and parents of its joints, their matrices (column by column) at a moment of the first clip.
export function inCore(bytes) {
  const core = start();
  core.call('put_file', { name: 'saved.glb', bytes: new Uint8Array(bytes) });
  const { id, state } = core.call('open', { file: 'saved.glb' });
  const { player } = core.call('player_begin', { id });
  const { joints } = state.info;
  const frame = (time) => core.call('player_frame', { player, layers: [{ clip: '0', time }] });
  const index = (name) => joints.findIndex((j) => j.name === name);
  const place = (name, time) => [...frame(time).world.slice(index(name) * 16 + 12, index(name) * 16 + 15)];
  return { call: (name, args = {}) => core.call(name, { id, ...args }), joints, index, frame, place };
}

// Solves a x = b.
function solved(a, b) {
  const n = b.length;
  const rows = a.map((row, i) => [...row, b[i]]);
  for (let c = 0; c < n; c++) {
    const pivot = rows.reduce((best, row, r) => (r >= c && Math.abs(row[c]) > Math.abs(rows[best][c]) ? r : best), c);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    for (let r = 0; r < n; r++) {
      const share = rows[r][c] / rows[c][c];
      if (r !== c) for (let k = c; k <= n; k++) rows[r][k] -= share * rows[c][k];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
const minus = (a, b) => a.map((v, i) => v - b[i]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => a.map((v) => v / Math.hypot(...a));

// The camera that shows `places` (in the world) at `points` (in pixels): the 3 × 4 matrix of a direct linear transformation.
// The vector that the equations leave nearly zero is found by inverse iteration; places are scaled for that.
function resected(places, points) {
  const scaled = (list) => {
    const middle = list[0].map((_, k) => list.reduce((sum, row) => sum + row[k], 0) / list.length);
    const size = Math.sqrt(list.reduce((sum, row) => sum + dot(minus(row, middle), minus(row, middle)), 0) / list.length);
    return { middle, size, list: list.map((row) => minus(row, middle).map((v) => v / size)) };
  };
  const [world, image] = [scaled(places), scaled(points)];
  const equations = world.list.flatMap((p, i) => {
    const [x, y] = image.list[i];
    const [one, none] = [[...p, 1], [0, 0, 0, 0]];
    return [[...one, ...none, ...one.map((v) => -x * v)], [...none, ...one, ...one.map((v) => -y * v)]];
  });
  const normal = Array.from({ length: 12 }, (_, r) => Array.from({ length: 12 }, (_, c) => equations.reduce((sum, e) => sum + e[r] * e[c], r === c ? 1e-9 : 0)));
  let found = Array.from({ length: 12 }, (_, i) => 1 / (i + 1));
  for (let i = 0; i < 12; i++) found = unit(solved(normal, found));
  const rows = [0, 4, 8].map((at) => found.slice(at, at + 4));
  const deep = dot(rows[2], [...world.list[0], 1]) > 0 ? 1 : -1; // what is seen is in front of the camera
  const toPixels = (p) => {
    const at = [...minus(p, world.middle).map((v) => v / world.size), 1];
    const [x, y, w] = rows.map((row) => dot(row, at) * deep);
    return { x: (x / w) * image.size + image.middle[0], y: (y / w) * image.size + image.middle[1], depth: w };
  };
  return { toPixels, ahead: unit(rows[2].slice(0, 3).map((v) => v * deep)) };
}

// The camera of the stage, from where the handles of all joints are and where the core has these joints at a moment. Leaves the
// room Move with the tool Turn. Angles in degrees: from the front to the character's left, and up.
export async function cameraOf(page, character, time = 0) {
  const group = page.getByRole('group', { name: 'Joints to turn' });
  if ((await group.count()) === 0) {
    await room(page, 'Move');
    await page.getByRole('radio', { name: 'Turn (FK)' }).check({ force: true });
  }
  await idle(page);
  const handles = await group.locator('button:visible').evaluateAll((all) => {
    const stage = document.querySelector('main.stage canvas').getBoundingClientRect();
    return all.map((e) => {
      const box = e.getBoundingClientRect();
      return { name: e.getAttribute('aria-label'), at: [box.x + box.width / 2 - stage.x, box.y + box.height / 2 - stage.y] };
    });
  });
  const { world } = character.frame(time);
  const places = handles.map(({ name }) => [...world.slice(character.index(name) * 16 + 12, character.index(name) * 16 + 15)]);
  const camera = resected(places, handles.map((h) => h.at));
  const [x, y, z] = camera.ahead.map((v) => -v);
  return { ...camera, azimuth: (Math.atan2(x, z) * 180) / Math.PI, elevation: (Math.asin(y) * 180) / Math.PI };
}

// The stage as it is saved: `at` takes a point in pixels of the page and gives red, green and blue from 0 to 1, or null beside the picture.
export async function picture(page) {
  const { bytes } = await save(page, 'PNG');
  const { width, height, text, shown } = await page.evaluate(async (base64) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const c = new OffscreenCanvas(image.width, image.height).getContext('2d');
    c.drawImage(image, 0, 0);
    const { data } = c.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width: image.width, height: image.height, text: btoa(text), shown: document.querySelector('main.stage canvas').clientWidth };
  }, bytes.toString('base64'));
  const data = Buffer.from(text, 'base64');
  const ratio = width / shown;
  const rgb = (x, y) => [0, 1, 2].map((k) => data[4 * (y * width + x) + k] / 255);
  const at = (point) => {
    const [x, y] = [Math.floor(point.x * ratio), Math.floor(point.y * ratio)];
    return x < 0 || y < 0 || x >= width || y >= height ? null : rgb(x, y);
  };
  return { width, height, ratio, rgb, at };
}

// The pixels, as [x, y] in pixels of the page, in which two pictures differ.
export function changed(before, after, least = 0.02) {
  const found = [];
  for (let y = 0; y < before.height; y++)
    for (let x = 0; x < before.width; x++) {
      const [a, b] = [before.rgb(x, y), after.rgb(x, y)];
      if (a.some((v, k) => Math.abs(v - b[k]) > least)) found.push([(x + 0.5) / before.ratio, (y + 0.5) / before.ratio]);
    }
  return found;
}

// In degrees; null for grey.
export function hue([r, g, b]) {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most - least < 0.03) return null;
  const sixth = most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
  return (sixth * 60 + 360) % 360;
}
export const apart = (a, b) => Math.abs(((a - b + 540) % 360) - 180); // of two angles
