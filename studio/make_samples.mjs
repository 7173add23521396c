// The sample characters as files beside the page: a page reads them faster than the core makes them.
// Usage: node studio/make_samples.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from './tests/core/start.mjs';

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const core = start();
for (const name of ['humanoid', 'quadruped']) {
  const { id } = core.call('sample', { name });
  for (const file of core.call('export', { id, name: `${name}.glb` }).files) writeFileSync(join(folder, file.name), file.bytes);
}
