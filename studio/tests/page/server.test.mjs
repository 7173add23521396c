// `sinew studio FILE`: the real server with the real page opens the file; strangers get nothing; folders can be looked into.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { built, idle, openPage, program, saveGlb } from './harness.mjs';
import './page_test.mjs';

const skip = existsSync(program) ? false : `there is no ${program}`;
const folder = mkdtempSync(join(tmpdir(), 'sinew-studio-'));
const running = [];

// Starts `sinew studio` and resolves to the address that it prints.
function studio(...words) {
  const child = spawn(program, ['studio', ...words, '--no-open', '--json'], { cwd: folder, env: { ...process.env, SINEW_STUDIO: built }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) resolve(JSON.parse(text).address);
    });
    child.on('exit', (code) => reject(new Error(`sinew studio ended with ${code}`)));
  });
}

before(() => {
  mkdirSync(join(folder, 'motions'));
  copyFileSync(join(built, 'samples/quadruped.glb'), join(folder, 'beast.glb'));
  copyFileSync(join(built, 'samples/humanoid.glb'), join(folder, 'motions/someone.glb'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
});
after(() => {
  for (const child of running) child.kill('SIGINT');
  rmSync(folder, { recursive: true });
});

test('the file is open when the page is, and the token is not in the address any more', { skip }, async () => {
  const p = await openPage({ at: await studio('beast.glb') });
  try {
    await p.page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('beast.glb'));
    await idle(p.page);
    assert.equal(new URL(p.page.url()).search, '');
    const glb = await saveGlb(p.page);
    assert.equal(glb.json.animations[0].name, 'walk');
    assert.match(await p.page.locator('.stage-facts').textContent(), /quadruped/);
    await p.page.reload(); // the cookie is enough
    await p.page.waitForFunction(() => document.querySelector('.bar .title')?.textContent.includes('beast.glb'));
    await idle(p.page);
    assert.deepEqual(p.errors, []);
    const own = new URL(p.page.url()).origin;
    for (const url of p.requests) assert.ok(url.startsWith(own) || url.startsWith('blob:') || url.startsWith('data:'), url);
  } finally {
    await p.done();
  }
});

test('the files of a folder are in a menu; one is opened from there', { skip }, async () => {
  const p = await openPage({ at: await studio('.') });
  try {
    await p.page.getByRole('button', { name: 'Folder' }).click();
    assert.deepEqual(await p.page.getByRole('menuitem').allTextContents(), ['beast.glb', 'motions/someone.glb']);
    await p.page.getByRole('menuitem', { name: 'motions/someone.glb' }).click();
    await p.page.waitForFunction(() => document.querySelector('.bar .title').textContent.includes('someone.glb'));
    await idle(p.page);
    assert.equal((await saveGlb(p.page)).json.animations[0].name, 'walk');
  } finally {
    await p.done();
  }
});

test('a page of another site can neither read nor frame the studio, though the browser has its cookie', { skip }, async () => {
  const p = await openPage({ at: await studio('beast.glb') });
  const target = new URL(p.page.url()).origin;
  const evil = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title>'));
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  try {
    const other = await p.page.context().newPage();
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
    await p.done();
  }
});
