// Runs the tests of the page in one browser; each test opens a page of its own there.
//   node studio/tests/run_page.mjs [FILE…]
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browserOptions } from './page/browser.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'page');
const all = readdirSync(folder).filter((name) => name.endsWith('.test.mjs')).map((name) => join(folder, name));
const browser = await chromium.launchServer(browserOptions);
const files = process.argv.length > 2 ? process.argv.slice(2) : all;
const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], { stdio: 'inherit', env: { ...process.env, SINEW_BROWSER: browser.wsEndpoint() } });
const code = await new Promise((resolve) => run.on('exit', resolve));
await browser.close();
process.exit(code ?? 1);
