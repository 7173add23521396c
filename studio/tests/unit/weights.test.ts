import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withVertices } from '../../src/app/stage/changed_weights.ts';
import { jointWeights } from '../../src/app/stage/heat.ts';
import type { SkinPart } from '../../src/core/api.ts';

// Three vertices: (joint 7: 1), (joint 7: ¾, joint 9: ¼), (joint 9: 1).
const skin: SkinPart = {
  instance: 0, primitive: 0, skin: 0,
  joints: Uint32Array.from([7, 9]),
  first: Uint32Array.from([0, 1, 3, 4]),
  joint: Uint32Array.from([0, 0, 1, 1]),
  weight: Float32Array.from([1, 0.75, 0.25, 1]),
};
const heat = (of: SkinPart, joint: number) => {
  const out = new Float32Array(of.first.length - 1);
  jointWeights(of, joint, out);
  return [...out];
};

test('the heat of a joint is its weight, whatever its number in the skin', () => {
  assert.deepEqual(heat(skin, 7), [1, 0.75, 0]);
  assert.deepEqual(heat(skin, 9), [0, 0.25, 1]);
  assert.deepEqual(heat(skin, 3), [0, 0, 0]);
});

test('changed vertices take their new influences, others keep theirs', () => {
  const changed = { vertices: Uint32Array.from([2, 0]), first: Uint32Array.from([0, 2, 3]), joint: Uint32Array.from([1, 0, 1]), weight: Float32Array.from([0.5, 0.5, 1]) };
  const next = withVertices(skin, changed);
  assert.deepEqual(heat(next, 7), [0, 0.75, 0.5]);
  assert.deepEqual(heat(next, 9), [1, 0.25, 0.5]);
  assert.deepEqual([...next.first], [0, 1, 3, 5]);
});
