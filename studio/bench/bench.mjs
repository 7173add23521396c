// What the studio costs: bytes of a cold start, the page's and the core's start, the main job against the native program in
// the same run, a frame, a stroke, memory. Usage: node studio/bench/bench.mjs [--json FILE] (script/bench studio builds all
// that it needs).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const root = new URL('../../', import.meta.url).pathname;
process.env.SINEW_WASM ??= join(root, 'build/studio/core/sinew.wasm');
const { module, start } = await import('../tests/core/start.mjs');
const program = process.env.SINEW ?? join(root, 'build/release/sinew');
const rows = [];
const row = (measure, value, unit, target) => {
  rows.push({ measure, value, unit, ...(target === undefined ? {} : { target }) });
  console.log(`${measure.padEnd(58)} ${value.toFixed(value < 10 ? 3 : 1).padStart(10)} ${unit.padEnd(4)}${target === undefined ? '' : ` (at most ${target})`}`);
};
const seconds = (work) => {
  const begin = performance.now();
  work();
  return (performance.now() - begin) / 1000;
};
// An OBJ with every face cut into smaller ones until it has so many vertices.
function finer(bytes, wanted) {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const points = lines.filter((l) => l.startsWith('v ')).map((l) => l.split(/\s+/).slice(1, 4).map(Number));
  let faces = lines.filter((l) => l.startsWith('f ')).flatMap((l) => {
    const corners = l.trim().split(/\s+/).slice(1).map((c) => Number(c.split('/')[0]) - 1);
    return corners.slice(2).map((_, i) => [corners[0], corners[i + 1], corners[i + 2]]);
  });
  while (points.length < wanted) {
    const between = new Map();
    const middle = (a, b) => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!between.has(key)) between.set(key, points.push(points[a].map((v, i) => (v + points[b][i]) / 2)) - 1);
      return between.get(key);
    };
    faces = faces.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
    });
  }
  return new TextEncoder().encode([...points.map((p) => `v ${p.join(' ')}`), ...faces.map((f) => `f ${f.map((v) => v + 1).join(' ')}`)].join('\n'));
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

// The page in a browser without a graphics card: what a cold start asks for, and when the sample walks.
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const built = join(root, 'build/studio');
const { closeAll, openPage, dropFiles, idle } = await import('../tests/page/harness.mjs');
const visits = [], work = [];
let shown = await openPage({ sharpness: 1, alone: true });
const session = await shown.page.context().browser().newBrowserCDPSession();
const processorTime = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, p) => sum + p.cpuTime, 0);
for (let i = 0; i < 5; ++i) {
  await shown.done();
  const before = await processorTime();
  shown = await openPage({ sharpness: 1, alone: true });
  work.push((await processorTime()) - before);
  visits.push(await shown.page.evaluate(() => performance.getEntriesByName('sinew-shown')[0].startTime / 1000));
}
const asked = [...new Set(shown.requests.filter((url) => url.startsWith(shown.address)).map((url) => new URL(url).pathname))];
let all = 0;
for (const path of asked) {
  const file = join(built, path === '/' ? 'index.html' : path);
  if (!existsSync(file)) continue;
  const bytes = brotli(readFileSync(file));
  row(`${path} with brotli`, bytes / 1e6, 'MB');
  all += bytes;
}
row('cold start, all that is asked for, with brotli', all / 1e6, 'MB', 2.5);
row('page ready: the sample walks', median(visits), 's', 2);
row('the quickest of five visits', Math.min(...visits), 's');
row('processor time of a visit, all processes of the browser', median(work), 's');
row('load of the machine meanwhile', loadavg()[0], '');

row('compile the core', seconds(() => new WebAssembly.Module(readFileSync(process.env.SINEW_WASM))), 's');
row('start an instance', seconds(() => start()), 's');

// The main job on the sample: warm, against the native program with one thread.
const core = start();
const call = (name, args = {}) => core.call(name, args);
const folder = mkdtempSync(join(tmpdir(), 'sinew-bench-'));
for (const file of call('export', { id: call('sample', { name: 'humanoid' }).id, name: 'hero.obj' }).files) {
  call('put_file', { name: file.name, bytes: file.bytes });
  writeFileSync(join(folder, file.name), file.bytes);
}
const job = () => {
  const { id } = call('open', { file: 'hero.obj' });
  call('animate', { id, motions: ['walk'] });
  const bytes = call('export', { id, name: 'hero.glb' }).files.at(-1).bytes;
  call('close', { id });
  return bytes;
};
row('open, rig, bind, walk, write: first', seconds(job), 's');
const warm = [], native = [];
for (let i = 0; i < 5; ++i) {
  warm.push(seconds(job));
  native.push(seconds(() => execFileSync(program, ['animate', 'hero.obj', '--motion', 'walk', '-o', 'out.glb', '--quiet', '--threads', '1'], { cwd: folder, stdio: 'pipe' })));
}
row('the same, warm', median(warm), 's');
row('the native program, one thread', median(native), 's');
row('warm against native', median(warm) / median(native), 'x', 2);
// The same in the page, from the drop to the first frame that walks; each time under another name, so that nothing is known.
const dropped = [];
for (let i = 0; i < 4; ++i) {
  const name = `hero${i}`;
  const parts = call('export', { id: call('sample', { name: 'humanoid' }).id, name: `${name}.obj` }).files.map((f) => ({ name: f.name, bytes: [...f.bytes] }));
  await shown.page.evaluate(() => performance.clearMarks('sinew-shown'));
  await dropFiles(shown.page, parts);
  await shown.page.waitForFunction((n) => document.querySelector('.bar .title').textContent.includes(n), name);
  await idle(shown.page);
  dropped.push(await shown.page.evaluate(() => (performance.getEntriesByName('sinew-shown').at(-1).startTime - performance.getEntriesByName('sinew-dropped').at(-1).startTime) / 1000));
}
dropped.shift(); // the first one warms up
row('from the drop to the first walking frame, warm', median(dropped), 's');
row('that against native', median(dropped) / median(native), 'x', 2);
// Nothing may block the page: each step on a file that it has not seen.
const { mainThread } = await import('./main_thread.mjs');
await mainThread(shown.page, call('export', { id: call('sample', { name: 'humanoid' }).id, name: 'smooth.obj' }).files.map((f) => ({ name: f.name, bytes: [...f.bytes] })), row);
await shown.done();
await closeAll();
row('bytes that differ from the native file', Buffer.compare(Buffer.from(job()), readFileSync(join(folder, 'out.glb'))) === 0 ? 0 : 1, '', 0);
rmSync(folder, { recursive: true });

// The core's share of a frame: two clips blended, and the palette, for a body of 25,000 vertices. The last row is for methods
// of deformation that have no shader: the core moves the vertices itself.
const { id } = call('sample', { name: 'humanoid-rigged' });
call('put_file', { name: 'fine.obj', bytes: finer(call('export', { id: call('sample', { name: 'humanoid' }).id, name: 'fine.obj' }).files.find((f) => f.name.endsWith('.obj')).bytes, 25_000) });
const fine = call('open', { file: 'fine.obj' }).id;
call('animate', { id: fine, motions: ['walk', 'run'] });
const { player } = call('player_begin', { id: fine });
const frame = (time) => {
  const shown = call('player_frame', { player, layers: [{ clip: 'walk', time, weight: 0.5 }, { clip: 'run', time, weight: 0.5 }] });
  call('player_palette', { player, instance: 0, kind: 'matrices' });
  return shown;
};
let pose;
for (let i = 0; i < 200; ++i) ({ pose } = frame((i % 60) / 60));
row('a frame of 25,000 vertices: two clips, matrices, palette', median(Array.from({ length: 200 }, (_, i) => seconds(() => frame((i % 60) / 60)))) * 1000, 'ms', 4);
const deform = () => call('deform', { id: fine, pose, skinning: 'cor' });
for (let i = 0; i < 3; ++i) deform();
row('the same deformed by the core (centres of rotation)', median(Array.from({ length: 15 }, () => seconds(deform))) * 1000, 'ms');
call('player_end', { player });

// A dab on 100,000 vertices: a grid bound to the sample's skeleton.
const side = 317;
const lines = [];
for (let y = 0; y < side; ++y) for (let x = 0; x < side; ++x) lines.push(`v ${(x / side - 0.5).toFixed(5)} ${((y / side) * 1.7).toFixed(5)} 0`);
for (let y = 0; y + 1 < side; ++y)
  for (let x = 0; x + 1 < side; ++x) {
    const v = y * side + x + 1;
    lines.push(`f ${v} ${v + 1} ${v + side + 1} ${v + side}`);
  }
call('put_file', { name: 'grid.obj', bytes: new TextEncoder().encode(lines.join('\n')) });
const grid = call('open', { file: 'grid.obj' }).id;
call('bind', { id: grid, skeleton: id, weights: 'distance' });
const { painter } = call('paint_begin', { id: grid });
const dab = () => call('paint', { painter, joint: 'chest', mode: 'add', centre: [0.05, 1.2, 0], radius: 0.1, strength: 0.3 });
for (let i = 0; i < 5; ++i) dab();
row('a dab of paint on 100,000 vertices', median(Array.from({ length: 15 }, () => seconds(dab))) * 1000, 'ms', 50);
call('paint_end', { painter, keep: false });

// Memory after twenty files.
const fresh = start();
const hero = call('export', { id, name: 'hero.glb' }).files.at(-1).bytes;
const round = () => {
  fresh.call('put_file', { name: 'hero.glb', bytes: hero });
  const opened = fresh.call('open', { file: 'hero.glb' }).id;
  fresh.call('animate', { id: opened, motions: ['walk'] });
  fresh.call('close', { id: opened });
  fresh.call('remove_file', {});
};
round();
const before = fresh.byteLength;
for (let i = 0; i < 20; ++i) round();
row('memory after one file', before / 1e6, 'MB');
row('memory after twenty more', fresh.byteLength / before, 'x', 1.1);

const json = process.argv.indexOf('--json');
if (json > 0) writeFileSync(process.argv[json + 1], JSON.stringify(rows, null, 2));
void module;
