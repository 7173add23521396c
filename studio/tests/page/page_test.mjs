// A test of the page: what it does with a page, and how it gets one. lane.mjs runs them.
import assert from 'node:assert/strict';
import { appearance, lookOf, openPage, startOver } from './harness.mjs';

export const pageTests = [];

// `options` are openPage's; `skip` is node's; `own`: a page that was just loaded. Nothing may go wrong unseen in the page.
export function pageTest(name, { skip = false, own = false, ...options }, run) {
  pageTests.push({ name, skip, options, own, run });
}

// Loading a page takes longer than most tests: tests that ask for the same kind of page get one after another the same one,
// put back to its beginning. Where it does not look then as it did when it was loaded, the next test gets a new one.
let free = null;
const mayBeShared = ({ options, own }) => !own && !['hint', 'play', 'at', 'alone', 'prepare'].some((name) => options[name]);
export const kindOfPage = (one) => (mayBeShared(one) ? JSON.stringify(lookOf(one.options)) : '');

async function pageFor(one) {
  const found = free;
  free = null;
  if (found?.kind && found.kind === kindOfPage(one)) return found;
  await found?.done(); // one page at a time: it has the machine, and what pages keep, to itself
  const p = await openPage(one.options);
  return { ...p, kind: kindOfPage(one), first: mayBeShared(one) ? await appearance(p.page) : null };
}
async function leave(p, one) {
  if (!mayBeShared(one)) return p.done();
  try {
    await startOver(p.page);
    if ((await appearance(p.page)) !== p.first) return p.done();
    p.errors.length = p.requests.length = 0;
    free = p;
  } catch {
    await p.done();
  }
}
// A page that answers nothing any more ends the test too: closing it ends what waits for it.
const longest = 300_000; // milliseconds
function within(limit, run) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`it took more than ${limit / 1000} s`)), limit)));
  return Promise.race([run(), late]).finally(() => clearTimeout(timer));
}
export async function runOnce(one) {
  const p = await within(longest, () => pageFor(one));
  try {
    await within(longest, () => one.run(p.page, p));
    assert.deepEqual(p.errors, []);
  } catch (error) {
    await p.done();
    throw error;
  }
  await leave(p, one);
}
