// The light of the room: directions of a cube map, and how rough surfaces mirror it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pixelDirection, prefiltered } from '../../src/app/stage/prefilter.ts';
import { roomRadiance } from '../../src/app/stage/room.ts';

const side = 32;
const all = (levels: ReturnType<typeof prefiltered>) => levels.flatMap((level) => level.faces.flatMap((face) => [...face]));

test('the levels go down to 8 pixels, and an even sky stays even in all of them', () => {
  const levels = prefiltered(() => 3, side, 0.04);
  assert.deepEqual(levels.map((l) => l.side), [32, 16, 8]);
  for (const value of all(levels)) assert.ok(Math.abs(value - 3) < 1e-5, String(value));
});

// Under a sky that is as bright as it is high, the roughest lobe gathers from a direction n the share of n's height that symmetry
// leaves: the same number k for every n. So what is gathered is linear in the height too.
test('what is gathered turns with the direction: a sky linear in height gives light linear in height', () => {
  const levels = prefiltered((_, y) => 1 + y, side, 0.02);
  const last = levels.at(-1)!;
  const direction = new Float64Array(3);
  const shares: number[] = [];
  last.faces.forEach((face, f) => face.forEach((value, p) => {
    pixelDirection(f, last.side, p % last.side, Math.floor(p / last.side), direction);
    if (Math.abs(direction[1]!) > 0.3) shares.push((value - 1) / direction[1]!);
  }));
  assert.ok(Math.max(...shares) - Math.min(...shares) < 0.02, `${Math.min(...shares)} to ${Math.max(...shares)}`);
  assert.ok(shares[0]! > 0.5 && shares[0]! < 1, String(shares[0]));
});

test('the six faces look along their axes, with edges that meet', () => {
  const axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  const direction = new Float64Array(3);
  axes.forEach((axis, f) => {
    pixelDirection(f, 1, 0, 0, direction);
    assert.deepEqual([...direction].map((v) => v + 0), axis);
  });
  // A sharp sky of any kind is the same on both sides of an edge: pixels beyond a face lie in its neighbour.
  pixelDirection(0, 4, 4, 1, direction); // right of +X is −Z
  assert.ok(-direction[2]! > Math.abs(direction[0]!));
});

test('lights of the room are where they hang, and walls are brighter near the lamp', () => {
  const to = (x: number, y: number, z: number) => {
    const length = Math.hypot(x, y - 3.5, z);
    return roomRadiance(x / length, (y - 3.5) / length, z / length);
  };
  assert.equal(to(0, 20, 0), 100);
  assert.equal(to(-0.462, 8.89, 14.52), 43);
  assert.equal(to(14.904, 12.198, -1.832), 17);
  assert.ok(to(-16.6, 16, 0) > to(-16.6, 8, 0) && to(-16.6, 8, 0) > 0);
});
