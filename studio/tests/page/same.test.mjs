// The command line that the page copies writes the very bytes that the page saves.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, data, drag, dropFiles, idle, middle, open, program, room, save, stopped, withoutData } from './harness.mjs';
import { pageTest } from './page_test.mjs';

const skip = existsSync(program) ? false : `there is no ${program}`;

// `files`: what was opened; none: the sample.
async function sameAsCommand(page, files = [], format = 'glb') {
  const { name, bytes: saved } = await save(page, format.toUpperCase());
  await page.getByRole('button', { name: 'Copy as command line' }).click();
  await page.getByText('Copied: ').first().waitFor();
  let command = await page.evaluate(() => navigator.clipboard.readText());
  const output = command.match(/-o (\S+)/)[1];
  if (format === 'bvh') command += ` && sinew convert ${output} ${name}`; // a motion alone
  else if (format !== 'glb') command = command.replace(`-o ${output}`, `-o ${name}`); // an FBX has its own name in it
  const folder = mkdtempSync(join(tmpdir(), 'sinew-same-'));
  try {
    copyFileSync(join(built, 'samples/humanoid.glb'), join(folder, 'humanoid.glb'));
    for (const { name, bytes } of files) writeFileSync(join(folder, name), Buffer.from(bytes));
    execFileSync('sh', ['-ec', `sinew() { "$PROGRAM" "$@" --quiet; }\n${command}`], { cwd: folder, stdio: 'pipe', env: { ...process.env, PROGRAM: program } });
    const made = readFileSync(join(folder, format === 'glb' ? output : name));
    assert.equal(made.compare(saved), 0, `${command}: ${made.length} bytes, the page saved ${saved.length}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

pageTest('the sample, walking, in every format', { skip }, async (page) => {
  for (const format of ['glb', 'vrm', 'fbx', 'bvh']) await sameAsCommand(page, [], format);
});

pageTest('choices of the rig, and a joint placed by hand', { skip }, async (page) => {
  await stopped(page);
  await room(page, 'Rig');
  await page.getByLabel('Fingers', { exact: true }).selectOption('0');
  await idle(page);
  await page.getByRole('slider', { name: 'Twist joints' }).fill('1');
  await idle(page);
  const elbow = await middle(page.getByRole('group', { name: 'Joints' }).getByRole('button', { name: 'leftLowerArm', exact: true }));
  await drag(page, elbow, { x: elbow.x + 6, y: elbow.y + 18 });
  await page.getByText('2 joints placed by hand').waitFor();
  await sameAsCommand(page);
});

pageTest('choices of the binding and of the motion', { skip }, async (page) => {
  await room(page, 'Skin');
  await open(page, /^Binding/);
  await page.getByLabel('Method').last().selectOption('voxel');
  await idle(page);
  await room(page, 'Move');
  await open(page, /How walk is put on/);
  await page.getByLabel('Mirror left and right').check();
  await page.getByLabel('Stay in place').check();
  await page.getByLabel('Feet', { exact: true }).selectOption('free');
  await sameAsCommand(page);
});

const files = (...paths) => paths.map((path) => ({ name: path.split('/').at(-1), bytes: [...readFileSync(join(data, path))] }));
for (const [what, paths] of [['a bare mesh with four legs', ['mesh-unrigged/spot.obj']], ['a rigged character and a captured motion', ['gltf-khronos/CesiumMan.glb', 'bvh-cmu/02_01.bvh']]])
  pageTest(what, { skip: skip || withoutData }, async (page) => {
    const dropped = files(...paths);
    await dropFiles(page, dropped);
    await page.waitForFunction((name) => document.querySelector('.bar .title').textContent.includes(name), dropped[0].name);
    await idle(page);
    await sameAsCommand(page, dropped);
    if (!paths[1]) return;
    // A corrected map is part of the command.
    await room(page, 'Move');
    await open(page, /^Joint map/);
    await page.getByLabel('Joint for LeftForeArm', { exact: true }).selectOption('');
    await idle(page);
    await sameAsCommand(page, dropped);
  });
