import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, quoted } from '../../src/app/state/command_line.ts';
import { decodeWork, encodeWork } from '../../src/app/state/encode.ts';
import { motionGroups, motionNamed, newWork, otherSide, withBind, withEdit, withMotion, withRig } from '../../src/app/state/work.ts';

const plain = newWork({ sample: 'humanoid' }, [motionNamed('walk')]);

test('choices left alone are not in the command', () => {
  assert.equal(commandLine(plain, 'hero.obj'), 'sinew animate hero.obj --motion walk -o hero-walk.glb');
});

test('every choice of the rig is an option of the command', () => {
  const chosen = withBind(withRig(plain, { template: 'biped', up: 'z', facing: '-y', names: 'mixamo', fingers: 0, twist: 2, joints: { leftHand: [0.5, 1, -0.25] } }), { weights: 'bbw', influences: 8 });
  assert.equal(
    commandLine(chosen, 'my hero.obj'),
    "sinew animate 'my hero.obj' --motion walk -o 'my hero-walk.glb' --template biped --up=z --facing=-y --names mixamo --fingers 0 --twist 2 --joint leftHand=0.5,1,-0.25 --weights bbw --influences 8",
  );
});

test('motions with choices of their own are commands of their own, the last one first', () => {
  const two = withMotion({ ...plain, motions: [motionNamed('run.bvh'), motionNamed('walk')] }, 0, { mirror: true, feet: 'free', cloth: true });
  assert.equal(
    commandLine(two, 'hero.glb'),
    'sinew animate hero.glb --motion walk -o hero-run.glb &&\nsinew animate hero-run.glb --motion run.bvh -o hero-run.glb --in-place --feet free --mirror --cloth auto',
  );
});

test('a corrected map is written before the command that reads it', () => {
  const mapped = withMotion({ ...plain, motions: [motionNamed('run.bvh')] }, 0, { map: { 'left hip': 'leftUpperLeg' } });
  assert.equal(
    commandLine(mapped, 'hero.glb'),
    `printf %s '{"left hip":"leftUpperLeg"}' >run-map.json &&\nsinew animate hero.glb --motion run.bvh -o hero-run.glb --map run-map.json`,
  );
});

test('edits that a verb does become commands', () => {
  const edited = withEdit(plain, 'edit_clips', 'Faster', { clip: '0', speed: 1.25, loop: true, blend: [{ motion: 'wave', weight: 0.5 }] });
  assert.match(commandLine(edited, 'hero.glb'), /sinew edit hero-walk\.glb -o hero-walk\.glb --in-place --clip 0 --speed 1\.25 --loop --blend wave:0\.5$/);
});

test('a work without motions rigs', () => {
  assert.equal(commandLine({ ...plain, motions: [] }, 'hero.obj'), 'sinew rig hero.obj -o hero-rigged.glb');
});

test('words for a shell survive it', () => {
  assert.equal(quoted("it's"), "'it'\\''s'");
  assert.equal(quoted('a.glb'), 'a.glb');
});

test('motions with equal choices go together', () => {
  const [walk, run, wave] = ['walk', 'run', 'wave'].map(motionNamed);
  assert.deepEqual(motionGroups([walk!, run!, { ...wave!, mirror: true }]).map((g) => g.map((m) => m.name)), [['walk', 'run'], ['wave']]);
});

test('the other side of a joint, in every scheme of names', () => {
  for (const [left, right] of [['leftHand', 'rightHand'], ['mixamorig:LeftHand', 'mixamorig:RightHand'], ['hand_l', 'hand_r'], ['thumb_01_l', 'thumb_01_r'], ['Hand.L', 'Hand.R']] as const) {
    assert.equal(otherSide(left), right);
    assert.equal(otherSide(right), left);
  }
  assert.equal(otherSide('spine'), null);
});

test('a work with arrays of numbers comes back from its text', () => {
  const pose = Float32Array.from([0.1, -2, 3e-7]);
  const work = withEdit(plain, 'set_keys', 'Pose', { pose, bytes: new Uint8Array(70000).fill(7), joints: ['a'] });
  assert.deepEqual(decodeWork(encodeWork(work)), work);
});
