// Runs the tests of the page, in two browsers at once that take the next test from one list.
//   node studio/tests/run_page.mjs [FILE…]
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runFile } from './run.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), 'page');
const all = readdirSync(here).filter((name) => name.endsWith('.test.mjs')).map((name) => join(here, name));
const files = process.argv.length > 2 ? process.argv.slice(2) : all;
const folder = mkdtempSync(join(tmpdir(), 'studio-page-'));
const lanes = Math.min(2, availableParallelism());
const codes = await Promise.all(Array.from({ length: lanes }, (_, i) => runFile(`page-${i + 1}`, join(here, 'lane.mjs'), [folder, ...files])));

const done = readdirSync(folder).flatMap((index) => {
  try {
    return [JSON.parse(readFileSync(join(folder, index, 'done.json'), 'utf8'))];
  } catch {
    return []; // its lane ended before it did, and says so
  }
});
rmSync(folder, { recursive: true });
const seconds = new Map();
for (const { file, seconds: s } of done) seconds.set(file, (seconds.get(file) ?? 0) + s);
console.log(`studio: seconds by file: ${[...seconds].sort((a, b) => b[1] - a[1]).map(([file, s]) => `${file} ${s.toFixed(0)}`).join(', ')}`);
const again = done.filter((one) => one.failed);
for (const { file, name } of again) console.log(`studio: passed only the second time: ${file}, ${name}`);
process.exit(Math.max(...codes));
