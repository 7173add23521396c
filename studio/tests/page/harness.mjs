// What every test of the page needs: the built page on a port of its own, a browser, and the exported files as data.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browserOptions } from './browser.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const built = process.env.SINEW_STUDIO_BUILD ?? join(root, 'build/studio');
export const data = join(root, '../shared/data');
export const withoutData = existsSync(data) ? false : 'no ../shared/data'; // a reason to skip a test
export const program = process.env.SINEW ?? join(root, 'build/release/sinew');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };
// As `sinew studio` sends it.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob: data:; style-src 'self'; font-src 'self'; media-src 'self' blob:";

const nothing = '/nothing'; // an empty page of the same origin

export function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const send = (type) => response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    if (path === nothing) return send('text/html').end('<!doctype html><title>nothing</title>');
    const file = join(built, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || statSync(file).isDirectory()) return response.writeHead(404).end();
    createReadStream(file).pipe(send(types[extname(file)] ?? 'application/octet-stream'));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const patience = 60_000; // milliseconds: the browser draws without a graphics card, beside other work

let browser = null;
async function theBrowser() {
  if (browser && !(await browser).isConnected()) {
    browser = null; // it fell
    contexts.clear();
  }
  return (browser ??= chromium.launch(browserOptions));
}
let server = null;
const theServer = () => (server ??= serve());
export async function closeAll() {
  await (await browser)?.close();
  (await server)?.close();
}
const ownAddress = async () => `http://127.0.0.1:${(await theServer()).address().port}`;

export const lookOf = ({ width = 1280, height = 720, sharpness = 0.5, theme = 'dark' }) => ({ viewport: { width, height }, deviceScaleFactor: sharpness, colorScheme: theme });

// Pages of one look share a context, one after another, and with it a process: an empty page there holds the compiled core,
// which the others then find. Between two of them everything that a page keeps is deleted.
const contexts = new Map();
const newContext = async (look) => (await theBrowser()).newContext({ ...look, acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
async function sharedContext(look) {
  const context = await newContext(look);
  const keeper = await context.newPage();
  await keeper.goto((await ownAddress()) + nothing);
  await keeper.evaluate(async () => (window.core = await WebAssembly.compileStreaming(fetch('/core/sinew.wasm'))));
  const clear = () => keeper.evaluate(async () => {
    localStorage.clear();
    const remove = (name) => new Promise((done, failed) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: failed }));
    for (const { name } of await indexedDB.databases()) await remove(name);
  });
  return { context, leave: (page) => page.close().then(clear) };
}
async function contextOf(look, alone) {
  const key = JSON.stringify(look);
  if (alone) {
    const context = await newContext(look);
    return { context, leave: () => context.close() };
  }
  if (!contexts.has(key)) contexts.set(key, sharedContext(look));
  return contexts.get(key);
}

// A page of its own that shows the sample, stopped unless it is to `play`, or what `at` (an address of another server, or a function that gives it) brings. `prepare` sees the
// page before it loads. `alone`: in a context of its own, as at a first visit. `sharpness`: pixels of the picture to one of the page; without a graphics card each of them takes time.
// `done` closes it. Errors of the page's own are in `errors`.
export async function openPage({ hint = false, play = false, at = null, alone = at !== null, prepare = null, ...look } = {}) {
  const { context, leave } = await contextOf(lookOf(look), alone);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('404') && errors.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  const dialogs = [];
  page.on('filechooser', (dialog) => dialogs.push(dialog)); // from the beginning: asked for at a click, the browser may hear of it too late
  waitingDialogs.set(page, dialogs);
  if (!hint) await page.addInitScript(() => localStorage.setItem('sinew-hint-seen', 'yes'));
  await prepare?.(page);
  const address = typeof at === 'function' ? await at() : (at ?? `${await ownAddress()}/`);
  await page.bringToFront(); // a page behind another one gets no file dialog
  await page.goto(address);
  await page.locator('.stage-facts strong').waitFor();
  if (!play) for (const key of ['k', 'Home']) await page.keyboard.press(key); // a character that stands leaves the machine to the test
  await idle(page);
  return { page, errors, requests, address, done: () => leave(page) };
}

// The page as it opened, without loading it anew: every message closed, everything put back by Start over.
export async function startOver(page) {
  await page.keyboard.press('Escape');
  const closers = page.getByRole('button', { name: 'Close this message' });
  while ((await closers.count()) > 0) await closers.first().click();
  await room(page, 'Show'); // what is open in the panel is closed when another one takes its place
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('menuitem', { name: /^Start over/ }).click();
  for (const key of ['k', 'Home']) await page.keyboard.press(key);
  await idle(page);
}
// What a person would see of it, without the picture: words, and the state of every control.
export const appearance = (page) => page.evaluate(() => {
  const states = [...document.querySelectorAll('.app input, .app select, .app button')].map((e) => [e.checked, e.type === 'button' ? '' : e.value, e.ariaPressed, e.ariaExpanded, e.ariaSelected].join());
  return [document.querySelector('.app').innerText, ...states].join('\n');
});

// The clip stands at its beginning, seen from the front.
export async function stopped(page) {
  for (const key of ['k', 'Home', '1']) await page.keyboard.press(key);
  await idle(page);
}

// The character is on the stage and no job is running.
export async function shown(page) {
  await page.locator('.stage-facts strong').waitFor();
  await idle(page);
}
// Everything that was asked for is there and drawn: views have heard of the last change, and nothing is on its way.
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
export async function idle(page) {
  await frames(page);
  await page.waitForFunction(() => !document.querySelector('.job') && document.querySelector('.app')?.dataset.settled === 'yes', null, { timeout: patience * 2 });
  await frames(page);
}
// Until what `look` finds is true.
export async function until(look) {
  for (const end = Date.now() + patience; Date.now() < end; await new Promise(setImmediate)) if (await look()) return;
  assert.fail(`it did not become true: ${look}`);
}

// The open dialog, as a person would use it: files of this machine by their paths.
const waitingDialogs = new WeakMap();
export async function pickFiles(page, paths) {
  const dialogs = waitingDialogs.get(page);
  await page.getByRole('button', { name: 'Open files' }).click();
  await until(() => dialogs.length > 0);
  await dialogs.shift().setFiles(paths);
}

// Files in the hand, and let go of over the stage.
export function takeFiles(page, files) {
  const list = files.map((f) => (typeof f === 'string' ? { name: f.split('/').at(-1), bytes: readFileSync(f) } : f));
  return page.evaluateHandle((given) => {
    const dt = new DataTransfer();
    for (const f of given) dt.items.add(new File([Uint8Array.from(atob(f.text), (c) => c.charCodeAt(0))], f.name));
    return dt;
  }, list.map((f) => ({ name: f.name, text: Buffer.from(f.bytes).toString('base64') })));
}
export async function dropTaken(page, transfer) {
  await page.locator('main.stage').dispatchEvent('dragenter', { dataTransfer: transfer });
  await page.locator('main.stage').dispatchEvent('drop', { dataTransfer: transfer });
}
export const dropFiles = async (page, files) => dropTaken(page, await takeFiles(page, files));

export async function save(page, format) {
  await idle(page);
  const download = page.waitForEvent('download', { timeout: patience * 8 }); // films are drawn frame by frame
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
  const file = await download;
  const path = join(mkdtempSync(join(tmpdir(), 'sinew-saved-')), 'file');
  await file.saveAs(path);
  const bytes = readFileSync(path);
  rmSync(dirname(path), { recursive: true });
  return { name: file.suggestedFilename(), bytes };
}
export const saveGlb = async (page) => readGlb((await save(page, 'GLB')).bytes);

const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };

// A GLB as its JSON and a function that reads an accessor into rows.
export function readGlb(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
  const bin = bytes.subarray(20 + length + 8);
  const rows = (index) => {
    const { bufferView, byteOffset = 0, count, type, componentType, normalized } = json.accessors[index];
    const view = json.bufferViews[bufferView];
    const size = sizes[type];
    const Type = arrays[componentType];
    const step = view.byteStride ?? size * Type.BYTES_PER_ELEMENT;
    const scale = normalized ? 1 / (2 ** (8 * Type.BYTES_PER_ELEMENT) - 1) : 1;
    return Array.from({ length: count }, (_, i) => {
      const at = (view.byteOffset ?? 0) + byteOffset + i * step;
      return Array.from(new Type(bin.buffer.slice(bin.byteOffset + at, bin.byteOffset + at + size * Type.BYTES_PER_ELEMENT)), (v) => v * scale);
    });
  };
  const node = (name) => json.nodes.findIndex((n) => n.name === name);
  // The keys of a joint in a clip: times and values.
  const keys = (clip, joint, path) => {
    const animation = json.animations[clip];
    const channel = animation.channels.find((c) => c.target.node === node(joint) && c.target.path === path);
    if (!channel) return null;
    const sampler = animation.samplers[channel.sampler];
    return { times: rows(sampler.input).flat(), values: rows(sampler.output), interpolation: sampler.interpolation ?? 'LINEAR' };
  };
  // The weight of a joint at every vertex of the first skinned mesh.
  const weights = (joint) => {
    const holder = json.nodes.find((n) => n.skin !== undefined);
    const local = json.skins[holder.skin].joints.indexOf(node(joint));
    const { attributes } = json.meshes[holder.mesh].primitives[0];
    const all = influences(attributes);
    return all.map((row) => row.reduce((sum, [j, w]) => sum + (j === local ? w : 0), 0));
  };
  // The joints and weights of every vertex, of all sets that there are.
  const influences = (attributes) => {
    const sets = [0, 1, 2, 3].filter((s) => attributes[`JOINTS_${s}`] !== undefined).map((s) => [rows(attributes[`JOINTS_${s}`]), rows(attributes[`WEIGHTS_${s}`])]);
    return sets[0][0].map((_, v) => sets.flatMap(([joints, values]) => joints[v].map((j, k) => [j, values[v][k]])));
  };
  return { json, rows, node, keys, weights, influences, bytes };
}

// The middle of a handle on the stage.
export async function middle(locator) {
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
export async function drag(page, from, to, steps = 8) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps });
  await page.mouse.up();
}
export const room = (page, name) => page.getByRole('tab', { name }).click();
export const open = async (page, section) => {
  const head = page.getByRole('button', { name: section }).first();
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
};
