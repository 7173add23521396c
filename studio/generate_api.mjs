// api.json → src/core/api.ts: the operations as TypeScript types. `--check`: fails where the file on disk is another.
import { readFileSync, writeFileSync } from 'node:fs';
const here = new URL('.', import.meta.url);
const list = JSON.parse(readFileSync(new URL('api.json', here), 'utf8'));
const fields = (object) => Object.entries(object).map(([key, type]) => `${key}: ${type}`).join('; ');
const braces = (object) => (Object.keys(object).length ? `{ ${fields(object)} }` : 'Record<string, never>');
const lines = ['// Made of studio/api.json by studio/generate_api.mjs: change that file, not this one.', ''];
for (const [name, type] of Object.entries(list.types))
  lines.push(typeof type === 'string' ? `export type ${name} = ${type};` : `export interface ${name} { ${fields(type)} }`);
lines.push('', 'export interface Operations {');
for (const { name, doc, args, result } of list.operations)
  lines.push(`  // ${doc}`, `  ${name}: { args: ${braces(args)}; result: ${braces(result)} };`);
const long = list.operations.filter((operation) => operation.long).map((operation) => `'${operation.name}'`);
lines.push('}', '', '// Those that may take long, report progress and can be cancelled.', `export const longOperations: ReadonlySet<string> = new Set([${long.join(', ')}]);`, '');
const text = lines.join('\n');
const file = new URL('src/core/api.ts', here);
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) { console.error('studio/src/core/api.ts is not what studio/api.json says; run node studio/generate_api.mjs'); process.exit(1); }
} else writeFileSync(file, text);
