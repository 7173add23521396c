// Runs test files with node's own runner: what fails is shown at its end, what passed is counted, all of it is in
// SINEW_TEST_RESULTS/studio-NAME.xml where that folder is given.
//   node studio/tests/run.mjs NAME FILE…
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Resolves to the exit code.
export function runTests(name, files, { atOnce = 1, env = {} } = {}) {
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const results = process.env.SINEW_TEST_RESULTS;
  if (results) reporters.push('--test-reporter=junit', `--test-reporter-destination=${join(results, `studio-${name}.xml`)}`);
  const run = spawn(process.execPath, ['--test', `--test-concurrency=${atOnce}`, ...reporters, ...files], { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => run.on('exit', (code) => resolve(code ?? 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await runTests(process.argv[2], process.argv.slice(3)));
