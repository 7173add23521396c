import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeStep, commit, redo, startHistory, undo } from '../../src/app/state/history.ts';

test('undo and redo walk through the same values', () => {
  let h = startHistory(0);
  for (const n of [1, 2, 3]) h = commit(h, `to ${n}`, n);
  h = undo(undo(h));
  assert.equal(h.present, 1);
  assert.deepEqual(h.future.map((s) => s.label), ['to 2', 'to 3']);
  h = redo(redo(h));
  assert.equal(h.present, 3);
  assert.equal(redo(h), h);
});

test('a new command forgets what was undone', () => {
  let h = commit(commit(startHistory('a'), 'b', 'b'), 'c', 'c');
  h = commit(undo(h), 'd', 'd');
  assert.equal(h.present, 'd');
  assert.equal(h.future.length, 0);
  assert.equal(undo(h).present, 'b');
});

test('the steps of one drag are undone together, and those of the next apart', () => {
  let h = startHistory(0);
  for (const n of [1, 2, 3]) h = commit(h, 'drag', n, 'slider');
  h = closeStep(h);
  for (const n of [4, 5]) h = commit(h, 'drag', n, 'slider');
  assert.equal(h.past.length, 2);
  assert.equal(undo(h).present, 3);
  assert.equal(undo(undo(h)).present, 0);
});

test('a change to the same value is no step, and undo at the start is none either', () => {
  const h = startHistory('x');
  assert.equal(commit(h, 'same', 'x'), h);
  assert.equal(undo(h), h);
});
