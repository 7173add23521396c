// Runs test files with node's own runner: what fails is shown at its end, what passed is counted, all of it is in
// SINEW_TEST_RESULTS/studio-NAME.xml where that folder is given.
//   node studio/tests/run.mjs NAME FILE…
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

function reporters(name) {
  const results = process.env.SINEW_TEST_RESULTS;
  const file = results ? ['--test-reporter=junit', `--test-reporter-destination=${join(results, `studio-${name}.xml`)}`] : [];
  return ['--test-reporter=spec', '--test-reporter-destination=stdout', ...file];
}
function node(words) {
  const run = spawn(process.execPath, words, { stdio: 'inherit' });
  return new Promise((resolve) => run.on('exit', (code) => resolve(code ?? 1)));
}
// Both resolve to the exit code. runFile: one file in one process, with words for it.
export const runTests = (name, files) => node(['--test', '--test-concurrency=1', ...reporters(name), ...files]);
export const runFile = (name, file, words) => node([...reporters(name), file, ...words]);

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await runTests(process.argv[2], process.argv.slice(3)));
