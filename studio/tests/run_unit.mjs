// Bundles the unit tests (TypeScript) and runs them with node's own test runner.
//   node studio/tests/run_unit.mjs
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { runTests } from './run.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'studio-unit-'));
const tests = readdirSync(join(here, 'unit')).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => join(here, 'unit', name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});
const code = await runTests('unit', tests.map((name) => join(out, name.replace(/\.ts$/, '.mjs'))));
rmSync(out, { recursive: true });
process.exit(code);
