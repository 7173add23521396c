// The sample characters as files beside the page, and the first one walking, with the report of how it was made: a page
// reads them faster than the core makes them.
// Usage: node studio/make_samples.mjs FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from './tests/core/start.mjs';

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const core = start();
for (const name of ['humanoid', 'quadruped']) {
  const { id } = core.call('sample', { name });
  for (const file of core.call('export', { id, name: `${name}.glb` }).files) writeFileSync(join(folder, file.name), file.bytes);
}

// As the page and the command line would: from the file.
core.call('put_file', { name: 'humanoid.glb', bytes: readFileSync(join(folder, 'humanoid.glb')) });
const { id } = core.call('open', { file: 'humanoid.glb' });
const { report, motions } = core.call('animate', { id, motions: ['walk'], motion: {}, rig: {} });
for (const file of core.call('export', { id, name: 'humanoid-walk.glb' }).files) writeFileSync(join(folder, file.name), file.bytes);
writeFileSync(join(folder, 'humanoid-walk.json'), JSON.stringify({ ...report, motions }));
