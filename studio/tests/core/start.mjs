// The core in node, as the worker has it: what the tests call.
import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const root = new URL('../../../', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'sinew-core-'));
const bundle = join(folder, 'instance.mjs');
await build({ entryPoints: [join(root, 'studio/src/core/instance.ts')], bundle: true, format: 'esm', outfile: bundle, logLevel: 'error' });
export const { Instance, OperationError } = await import(pathToFileURL(bundle).href);
rmSync(folder, { recursive: true });

const file = process.env.SINEW_WASM ?? join(root, 'build/studio/core/sinew.wasm');
const pictures = join(dirname(file), 'pictures.wasm');
export const module = new WebAssembly.Module(readFileSync(file));
export const decodes = existsSync(pictures); // not where the decoders' sources cannot be had
export const modules = { core: module, ...(decodes ? { pictures: new WebAssembly.Module(readFileSync(pictures)) } : {}) };
export const start = (progress = () => {}) => Instance.create(modules, progress);
