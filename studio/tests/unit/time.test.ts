import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance, type ClockState } from '../../src/app/time/clock.ts';
import { movedKey, withSlope } from '../../src/app/time/channel_edits.ts';
import { moveKeys, removeKeys } from '../../src/app/time/key_edits.ts';
import { marks, roundStep, toPixel, toValue } from '../../src/app/time/scale.ts';
import type { Track } from '../../src/core/api.ts';

const playing: ClockState = { time: 0.9, playing: true, speed: 1, loop: true, from: 0.5, to: 1.5, duration: 2 };

test('time goes round inside the played part, in both directions', () => {
  assert.ok(Math.abs(advance(playing, 0.8).time - 0.7) < 1e-9);
  assert.ok(Math.abs(advance({ ...playing, speed: -1 }, 0.8).time - 1.1) < 1e-9);
});

test('without a loop it stops at the end, or at the start when it runs backwards', () => {
  const once = { ...playing, loop: false };
  assert.deepEqual([advance(once, 5).time, advance(once, 5).playing], [1.5, false]);
  assert.equal(advance({ ...once, speed: -2 }, 5).time, 0.5);
});

test('a stopped clock and an empty part stay as they are', () => {
  const stopped = { ...playing, playing: false };
  assert.equal(advance(stopped, 1), stopped);
  const empty = { ...playing, from: 1, to: 1 };
  assert.equal(advance(empty, 1), empty);
});

test('pixels and values are inverse to each other', () => {
  const scale = { from: -2, to: 6, left: 40, width: -300 };
  for (const v of [-2, 0, 1.37, 6]) assert.ok(Math.abs(toValue(scale, toPixel(scale, v)) - v) < 1e-9);
});

test('marks are at round numbers and far enough apart', () => {
  for (const range of [0.03, 0.7, 2, 93]) {
    const step = roundStep(range, 600, 50);
    assert.ok((step / range) * 600 >= 50 - 1e-6);
    assert.match((step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toFixed(6), /^(1|2|5|10)\.0+$/);
  }
  assert.deepEqual(marks(-0.5, 1, 0.5), [-0.5, 0, 0.5, 1]);
});

const track = (interpolation: 'linear' | 'cubic'): Track => {
  const width = interpolation === 'cubic' ? 9 : 3;
  return { target: 4, path: 'translation', interpolation, width: 3, times: Float32Array.from([0, 1, 2]), values: Float32Array.from({ length: 3 * width }, (_, i) => i) };
};

test('moved keys keep their values and the order of time; a key that one lands on goes', () => {
  for (const kind of ['linear', 'cubic'] as const) {
    const before = track(kind);
    const size = before.values.length / 3;
    const [moved] = moveKeys([before], 4, 0, 0, 1.5);
    assert.deepEqual([...moved!.times], [1, 1.5, 2]);
    assert.deepEqual([...moved!.values.slice(size, 2 * size)], [...before.values.slice(0, size)]);
    const [landed] = moveKeys([before], 4, 0, 0, 1);
    assert.deepEqual([...landed!.times], [1, 2]);
    assert.deepEqual([...landed!.values.slice(0, size)], [...before.values.slice(0, size)]);
  }
});

test('keys of other joints are left alone, and the last key of a track stays', () => {
  const before = track('linear');
  assert.equal(moveKeys([before], 5, 0, 2, 1)[0], before);
  assert.deepEqual([...removeKeys([before], 4, 1, 2)[0]!.times], [0]);
  assert.deepEqual([...removeKeys([before], 4, 0, 2)[0]!.times], [0]);
});

test('a key of a curve stays between its neighbours; a slope turns both sides unless it is broken', () => {
  const channel = { times: Float32Array.from([0, 1, 2]), values: Float32Array.from([5, 6, 7]), in: new Float32Array(3), out: new Float32Array(3) };
  const moved = movedKey(channel, 1, 9, -3);
  assert.ok(moved.times[1]! < 2 && moved.times[1]! > 1.9);
  assert.equal(moved.values[1], -3);
  assert.deepEqual([withSlope(channel, 1, 'in', 4, false).out[1], withSlope(channel, 1, 'in', 4, true).out[1]], [4, 0]);
});
