// Show and save: every format opens as what it is; pictures and films; cameras.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drag, idle, program, readGlb, room, save, stopped, until } from './harness.mjs';
import { pageTest } from './page_test.mjs';
import { apart, cameraOf, inCore } from './seen.mjs';

pageTest('GLB, VRM, FBX and BVH are what they say', {}, async (page) => {
  const glb = await save(page, 'GLB');
  assert.equal(glb.name, 'humanoid.glb');
  assert.equal(readGlb(glb.bytes).json.animations[0].name, 'walk');
  const vrm = readGlb((await save(page, 'VRM')).bytes);
  assert.ok(vrm.json.extensions.VRMC_vrm.humanoid.humanBones.hips);
  assert.match((await save(page, 'FBX')).bytes.subarray(0, 18).toString(), /^Kaydara FBX Binary/);
  assert.match((await save(page, 'BVH')).bytes.subarray(0, 9).toString(), /^HIERARCHY/);
});

pageTest('cameras look from where they say, and the turntable turns', {}, async (page) => {
  await stopped(page);
  const character = inCore((await save(page, 'GLB')).bytes);
  const angles = async () => {
    await idle(page);
    const { azimuth, elevation } = await cameraOf(page, character);
    return { azimuth, elevation };
  };
  const near = ({ azimuth, elevation }, [a, e], what) =>
    assert.ok(Math.abs(elevation - e) < 1 && (e > 80 || apart(azimuth, a) < 1), `${what}: from ${azimuth.toFixed(1)}° and ${elevation.toFixed(1)}° up instead of ${a}° and ${e}°`);
  // The sample looks along +Z, and its left is +X.
  const cameras = { Front: [0, 6], Side: [90, 6], Back: [180, 6], 'Three-quarter': [35, 12], Top: [0, 89] };
  for (const [name, wanted] of Object.entries(cameras)) {
    await room(page, 'Show');
    await page.getByRole('button', { name, exact: true }).click();
    near(await angles(), wanted, name);
  }
  for (const [key, name] of [['1', 'Front'], ['2', 'Side'], ['3', 'Back'], ['4', 'Three-quarter']]) {
    await page.keyboard.press(key);
    near(await angles(), cameras[name], key);
  }
  await page.evaluate(() => document.activeElement?.blur()); // the tools take arrow keys too
  await page.keyboard.press('Shift+ArrowRight');
  near(await angles(), [35 + 15, 12], 'a walk around it');
  await room(page, 'Show');
  await page.getByLabel('Turntable').check();
  await cameraOf(page, character); // shows the joints
  const first = await angles();
  await until(async () => apart((await angles()).azimuth, first.azimuth) > 8);
  assert.ok(Math.abs((await angles()).elevation - first.elevation) < 1);
});

pageTest('the character is checked, with the figures that the command line has for the saved file', { skip: existsSync(program) ? false : `there is no ${program}` }, async (page) => {
  await room(page, 'Show');
  await page.getByRole('button', { name: 'Check the character' }).click();
  const rows = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  await rows.first().waitFor();
  const shown = Object.fromEntries(await rows.evaluateAll((all) => all.map((li) => [li.querySelector('.name').textContent, [li.className, li.querySelector('.row').lastChild.textContent]])));
  const folder = mkdtempSync(join(tmpdir(), 'sinew-check-'));
  writeFileSync(join(folder, 'saved.glb'), (await save(page, 'GLB')).bytes);
  const { checks } = JSON.parse(execFileSync(program, ['check', 'saved.glb', '--json'], { cwd: folder, stdio: 'pipe' }).toString());
  rmSync(folder, { recursive: true });
  assert.ok(checks.length > 10);
  const told = Object.fromEntries(checks.map((row) => [row.name.replaceAll('_', ' '), [row.grade, `${row.value}${row.unit ? ` ${row.unit}` : ''}`]]));
  assert.deepEqual(shown, told);
});

pageTest('wire, bones, ground and shadow are drawn or not', {}, async (page) => {
  await stopped(page);
  await room(page, 'Show');
  for (const label of ['Wire', 'Bones', 'Ground', 'Shadow']) {
    const toggle = page.locator('.panel').getByLabel(label, { exact: true });
    const before = (await save(page, 'PNG')).bytes;
    const on = await toggle.isChecked();
    await toggle.setChecked(!on);
    assert.notEqual((await save(page, 'PNG')).bytes.compare(before), 0, label);
    await toggle.setChecked(on);
  }
});

pageTest('a moving WebP has every frame of the played part', {}, async (page) => {
  const part = await page.getByRole('slider', { name: /Moment of the clip/ }).boundingBox();
  await drag(page, { x: part.x + part.width - 14, y: part.y + 30 }, { x: part.x + 14 + (part.width - 28) * 0.2, y: part.y + 30 });
  await page.keyboard.press('k');
  await page.keyboard.press('End');
  const seconds = Number((await page.getByRole('timer').textContent()).split(' ')[0]);
  const { bytes } = await save(page, 'WebP');
  assert.equal(bytes.subarray(0, 4).toString() + bytes.subarray(8, 16).toString(), 'RIFFWEBPVP8X');
  const names = [];
  for (let at = 12; at < bytes.length; at += 8 + Math.ceil(bytes.readUInt32LE(at + 4) / 2) * 2) names.push(bytes.subarray(at, at + 4).toString());
  assert.equal(names.filter((n) => n === 'ANMF').length, Math.round(seconds * 25));
  // The browser itself takes it for an animation of that many frames.
  const frames = await page.evaluate(async (all) => {
    const decoder = new ImageDecoder({ type: 'image/webp', data: new Uint8Array(all) });
    await decoder.tracks.ready;
    await decoder.completed;
    await decoder.decode({ frameIndex: decoder.tracks.selectedTrack.frameCount - 1 });
    return decoder.tracks.selectedTrack.frameCount;
  }, [...bytes]);
  assert.equal(frames, Math.round(seconds * 25));
});

pageTest('a film of the clip', {}, async (page) => {
  const film = await save(page, 'WebM');
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3); // EBML, as every WebM begins
  // The browser itself plays it, in the size of the stage.
  const size = await page.evaluate(async (all) => {
    const video = document.createElement('video');
    const loaded = new Promise((resolve, reject) => ([video.onloadeddata, video.onerror] = [resolve, () => reject(new Error(video.error.message))]));
    video.src = URL.createObjectURL(new Blob([new Uint8Array(all)], { type: 'video/webm' }));
    await loaded;
    const canvas = document.querySelector('main.stage canvas');
    return [video.videoWidth - canvas.width, video.videoHeight - canvas.height];
  }, [...film.bytes]);
  assert.deepEqual(size, [0, 0]);
});
