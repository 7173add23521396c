// `sinew studio FILE`: the real server with the real page opens the file; strangers get nothing; folders can be looked into.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, idle, program, saveGlb } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const skip = existsSync(program) ? false : `there is no ${program}`;
const running = [];
let folder = null;
function prepare() {
  if (folder) return;
  folder = mkdtempSync(join(tmpdir(), 'sinew-studio-'));
  mkdirSync(join(folder, 'motions'));
  copyFileSync(join(built, 'samples/quadruped.glb'), join(folder, 'beast.glb'));
  copyFileSync(join(built, 'samples/humanoid.glb'), join(folder, 'motions/someone.glb'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
}
process.on('exit', () => {
  for (const child of running) child.kill('SIGINT');
  if (folder) rmSync(folder, { recursive: true });
});

// Starts `sinew studio` and resolves to the address that it prints.
function studio(words) {
  prepare();
  const child = spawn(program, ['studio', ...words, '--no-open', '--json'], { cwd: folder, env: { ...process.env, SINEW_STUDIO: built }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  child.unref();
  child.stdout.unref();
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) resolve(JSON.parse(text).address);
    });
    child.on('exit', (code) => reject(new Error(`sinew studio ended with ${code}`)));
  });
}

// A test in the page that `sinew studio` serves when it is started with these words.
const studioTest = (name, words, run) => pageTest(name, { skip, at: () => studio(words) }, run);

studioTest('the file is open when the page is, and the token is not in the address any more', ['beast.glb'], async (page, { requests }) => {
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('beast.glb'));
  await idle(page);
  assert.equal(new URL(page.url()).search, '');
  const glb = await saveGlb(page);
  assert.equal(glb.json.animations[0].name, 'walk');
  assert.match(await page.locator('.stage-facts').textContent(), /quadruped/);
  await page.reload(); // the cookie is enough
  await page.waitForFunction(() => document.querySelector('.bar .title')?.textContent.includes('beast.glb'));
  await idle(page);
  const own = new URL(page.url()).origin;
  for (const url of requests) assert.ok(url.startsWith(own) || url.startsWith('blob:') || url.startsWith('data:'), url);
});

studioTest('the files of a folder are in a menu; one is opened from there', ['.'], async (page) => {
  await page.getByRole('button', { name: 'Folder' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['beast.glb', 'motions/someone.glb']);
  await page.getByRole('menuitem', { name: 'motions/someone.glb' }).click();
  await page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('someone.glb'));
  await idle(page);
  assert.equal((await saveGlb(page)).json.animations[0].name, 'walk');
});

studioTest('a page of another site can neither read nor frame the studio, though the browser has its cookie', ['beast.glb'], async (page) => {
  const target = new URL(page.url()).origin;
  const evil = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title>'));
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  try {
    const other = await page.context().newPage();
    await other.goto(`http://localhost:${evil.address().port}/`);
    const got = await other.evaluate(async (origin) => {
      const paths = ['/', '/api/files', '/api/file/beast.glb', '/core/sinew.wasm'];
      const ask = (path, options) => fetch(origin + path, options).then((r) => `${r.type} ${r.status}`, () => 'refused');
      const answers = await Promise.all(paths.flatMap((path) => [ask(path, { credentials: 'include' }), ask(path, { method: 'POST', credentials: 'include', body: 'x' })]));
      const image = new Image();
      const loaded = new Promise((resolve) => ([image.onload, image.onerror] = [() => resolve(true), () => resolve(false)]));
      image.src = `${origin}/api/file/beast.glb`;
      const script = document.createElement('script');
      const ran = new Promise((resolve) => ([script.onload, script.onerror] = [() => resolve(true), () => resolve(false)]));
      script.src = `${origin}/app.js`;
      document.head.append(script);
      const frame = document.createElement('iframe');
      frame.src = origin;
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      let inside = null;
      try { inside = frame.contentDocument?.title ?? null; } catch { inside = null; }
      return { answers, image: await loaded, script: await ran, inside };
    }, target);
    assert.deepEqual(got.answers, got.answers.map(() => 'refused'));
    assert.deepEqual([got.image, got.script, got.inside], [false, false, null]);
  } finally {
    evil.close();
  }
});
