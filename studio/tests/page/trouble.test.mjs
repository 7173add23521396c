// Trouble: files cut off anywhere or without end, memory that runs out, a core that falls, work that is cancelled. The page
// says so and goes on.
import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, dropFiles, idle, pickFiles, room, save, saveGlb } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const stillPlays = async (page) => {
  await page.keyboard.press('l');
  const text = await page.getByRole('timer').textContent();
  await page.waitForFunction((was) => document.querySelector('[role="timer"]').textContent !== was, text);
  await page.keyboard.press('k');
};

pageTest('a GLB cut off anywhere is refused with a sentence that names it', {}, async (page) => {
  const whole = [...(await save(page, 'GLB')).bytes];
  for (const share of [0.00001, 0.001, 0.3, 0.9]) {
    await dropFiles(page, [{ name: 'cut.glb', bytes: whole.slice(0, Math.ceil(whole.length * share)) }]);
    const alert = page.getByRole('alert').filter({ hasText: 'cut.glb' });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close this message' }).click();
  }
  assert.match(await page.locator('.bar .title').textContent(), /humanoid/);
  await stillPlays(page);
});

pageTest('files that lie about themselves are refused too', {}, async (page) => {
  const text = (t) => [...new TextEncoder().encode(t)];
  const bad = [
    { name: 'lie.obj', bytes: text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999\n') },
    { name: 'lie.bvh', bytes: text('HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition\n') },
    { name: 'lie.gltf', bytes: text('{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}]}') },
    { name: 'lie.sinew.json', bytes: text('{"version":1}') },
    { name: 'empty.glb', bytes: [] },
  ];
  for (const file of bad) {
    await dropFiles(page, [file]);
    const alert = page.getByRole('alert').filter({ hasText: file.name });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close this message' }).click();
  }
  await stillPlays(page);
});

// Files on the disk, for the open dialog.
function onDisk(name, write, use) {
  const folder = mkdtempSync(join(tmpdir(), 'sinew-trouble-'));
  const path = join(folder, name);
  const file = openSync(path, 'w');
  write(file);
  closeSync(file);
  return use(path).finally(() => rmSync(folder, { recursive: true }));
}
const refused = async (page, name) => {
  const alert = page.getByRole('alert').filter({ hasText: name });
  await alert.waitFor();
  const words = await alert.textContent();
  await alert.getByRole('button', { name: 'Close this message' }).click();
  return words;
};

pageTest('a file of 2 GB is refused before it is read', {}, async (page) => {
  await onDisk('giant.obj', (file) => ftruncateSync(file, 2 * 2 ** 30), async (path) => {
    await pickFiles(page, [path]);
    assert.match(await refused(page, 'giant.obj'), /2\.0 GB.*up to 1 GB/);
  });
  await stillPlays(page);
});

pageTest('an OBJ without end: points and no face, one line without a break', {}, async (page) => {
  const piece = Buffer.from('v 0.125 0.25 0.5\n'.repeat(200_000));
  const digits = Buffer.alloc(8 << 20, '1');
  const fill = (begin, content, times) => (file) => {
    writeSync(file, begin);
    for (let i = 0; i < times; i++) writeSync(file, content);
  };
  for (const [name, write] of [['points.obj', fill('', piece, 12)], ['line.obj', fill('v 0 0 ', digits, 4)]])
    await onDisk(name, write, async (path) => {
      await pickFiles(page, [path]);
      await refused(page, name);
    });
  assert.match(await page.locator('.bar .title').textContent(), /humanoid/);
  await stillPlays(page);
});

pageTest('a job is cancelled, and everything is as it was', { own: true }, async (page) => {
  const before = await saveGlb(page);
  await room(page, 'Skin');
  await page.getByRole('button', { name: /^Binding/ }).click();
  await page.getByLabel('Method').last().selectOption('bbw');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled(), true);
});

pageTest('a core that falls is started again, and the work is back', {}, async (page) => {
  const before = await saveGlb(page);
  await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error('as if memory were full'); }));
  await page.getByText('was started again').waitFor();
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  await stillPlays(page);
});

// The core with less memory: the largest number of pages in its memory section, as many bytes long as before.
function withPages(bytes, pages) {
  const number = (at) => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return [value >>> 0, at];
  };
  const memorySection = 5;
  for (let at = 8; at < bytes.length; ) {
    const [size, begin] = number(at + 1);
    if (bytes[at] === memorySection) {
      const [, limits] = number(begin); // how many memories
      const [, most] = number(limits + 1); // after the kind of limits: the smallest
      const [, end] = number(most);
      for (let i = most, left = pages; i < end; i++, left >>>= 7) bytes[i] = (left & 0x7f) | (i + 1 < end ? 0x80 : 0);
      return bytes;
    }
    at = begin + size;
  }
  throw new Error('there is no memory section');
}

const pages = 2048; // 128 MB
const prepare = (page) => {
  const small = withPages(readFileSync(join(built, 'core/sinew.wasm')), pages);
  return page.route('**/sinew.wasm', (route) => route.fulfill({ body: small, contentType: 'application/wasm' }));
};
pageTest('a file that does not fit into memory: the core starts again, and the work is back', { prepare }, async (page, { errors }) => {
  await page.keyboard.press('s'); // something that only the work knows
  await page.getByRole('button', { name: /^Undo: Key/ }).waitFor();
  await idle(page);
  const before = await saveGlb(page);
  const side = 1200;
  const grid = (file) => {
    for (let y = 0; y < side; y++) writeSync(file, Array.from({ length: side }, (_, x) => `v ${x} ${y} ${(x * y) % 7}`).join('\n') + '\n');
    for (let y = 0; y + 1 < side; y++)
      writeSync(file, Array.from({ length: side - 1 }, (_, x) => `f ${y * side + x + 1} ${y * side + x + 2} ${(y + 1) * side + x + 2} ${(y + 1) * side + x + 1}`).join('\n') + '\n');
  };
  await onDisk('plain.obj', grid, async (path) => {
    await pickFiles(page, [path]);
    await page.getByText('ran out of memory').first().waitFor();
    await page.getByText('Your work is back').waitFor();
  });
  await idle(page);
  assert.equal((await saveGlb(page)).bytes.compare(before.bytes), 0);
  await page.getByRole('button', { name: /^Undo: Key/ }).waitFor();
  // The core's last words are in the console.
  assert.match(errors.splice(0).join(''), /^(libc\+\+abi: bad_alloc was thrown in -fno-exceptions mode\s*)?$/);
});
