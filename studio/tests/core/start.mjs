// The core in node, as the worker has it: what the tests call.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const root = new URL('../../../', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'sinew-core-'));
const bundle = join(folder, 'instance.mjs');
await build({ entryPoints: [join(root, 'studio/src/core/instance.ts')], bundle: true, format: 'esm', outfile: bundle, logLevel: 'error' });
export const { Instance, OperationError } = await import(pathToFileURL(bundle).href);
rmSync(folder, { recursive: true });

export const module = new WebAssembly.Module(readFileSync(process.env.SINEW_WASM ?? join(root, 'build/studio/core/sinew.wasm')));
export const start = (progress = () => {}) => Instance.create(module, progress);
