// Runs the tests of the page in one browser, two files at once; each test opens a page of its own there.
//   node studio/tests/run_page.mjs [FILE…]
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browserOptions } from './page/browser.mjs';
import { runTests } from './run.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'page');
// The longest first, so that no long one is left alone at the end.
const all = readdirSync(folder).filter((name) => name.endsWith('.test.mjs')).map((name) => join(folder, name)).sort((a, b) => statSync(b).size - statSync(a).size);
const browser = await chromium.launchServer(browserOptions);
const code = await runTests('page', process.argv.length > 2 ? process.argv.slice(2) : all, { atOnce: 2, env: { SINEW_BROWSER: browser.wsEndpoint() } });
await browser.close();
process.exit(code);
