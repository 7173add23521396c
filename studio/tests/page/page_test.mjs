// A test of the page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeAll, openPage } from './harness.mjs';

after(closeAll);

// A test with a page of its own, in which nothing may go wrong unseen. `options` are openPage's; `skip` is node's.
export function pageTest(name, { skip = false, ...options }, run) {
  test(name, { skip }, async () => {
    const p = await openPage(options);
    try {
      await run(p.page, p);
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
    }
  });
}
