// One of the processes that share the tests of the page between them, each with a browser of its own: it takes the next test
// that nobody has taken, until none is left. Where a test fails it is done once more, in a new page, and that is said.
//   node lane.mjs FOLDER FILE…     FOLDER: where a test that was taken leaves its mark and, at its end, how it went
// SINEW_PAGE_SECONDS: no test begins later than that; those that are left are reported as skipped.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeAll } from './harness.mjs';
import { kindOfPage, pageTests, runOnce } from './page_test.mjs';

const [folder, ...files] = process.argv.slice(2);
for (const file of files) {
  const before = pageTests.length;
  await import(pathToFileURL(resolve(file)).href);
  for (const one of pageTests.slice(before)) one.file = basename(file).replace('.test.mjs', '');
}

// Those that can share a page one after another.
const kinds = [...new Set(pageTests.map(kindOfPage))];
pageTests.sort((a, b) => kinds.indexOf(kindOfPage(a)) - kinds.indexOf(kindOfPage(b)));

function take(index) {
  try {
    mkdirSync(join(folder, String(index)));
    return true;
  } catch {
    return false;
  }
}

async function run(one) {
  try {
    await runOnce(one);
    return null;
  } catch (error) {
    console.log(`studio: ${one.file}, ${one.name}: failed, and is tried once more:\n${error.stack}`);
    await runOnce({ ...one, own: true });
    return String(error.message);
  }
}

const latest = 1000 * Number(process.env.SINEW_PAGE_SECONDS ?? Infinity); // milliseconds since this process began
for (const [index, one] of pageTests.entries()) {
  if (!take(index)) continue;
  const begin = performance.now();
  if (begin > latest) one.skip ||= 'the machine was too busy for the time that they have';
  let failed = null;
  await test(`${one.file}: ${one.name}`, { skip: one.skip }, async () => {
    failed = await run(one);
  });
  const seconds = (performance.now() - begin) / 1000;
  writeFileSync(join(folder, String(index), 'done.json'), JSON.stringify({ file: one.file, name: one.name, seconds, failed }));
}
await closeAll();
