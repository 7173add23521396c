// A bright room without windows, as light that comes from each direction to its middle: walls and furniture lit by one lamp,
// and six lights on the walls. The same room as three's RoomEnvironment, worked out on the page: drawing it would have the
// graphics card compile six programs before the first picture.
import type { Vec3 } from '../state/work.ts';

interface Box {
  centre: Vec3;
  half: Vec3;
  cosine: number; // of its turn about y
  sine: number;
  light: number; // that it gives by itself; 0: it is lit by the lamp
}
const box = (centre: Vec3, size: Vec3, turn = 0, light = 0): Box => ({ centre, half: size.map((v) => v / 2) as Vec3, cosine: Math.cos(turn), sine: Math.sin(turn), light });

const eye: Vec3 = [0, 3.5, 0];
const lamp = { place: [0.418, 16.199, 0.3] as Vec3, strength: 900, reach: 28 };
const walls = box([-0.757, 13.219, 0.717], [31.713, 28.305, 28.591]);
const furniture = [
  box([-10.906, 2.009, 1.846], [2.328, 7.905, 4.651], -0.195),
  box([-5.607, -0.754, -0.758], [1.97, 1.534, 3.955], 0.994),
  box([6.167, 0.857, 7.803], [3.927, 6.285, 3.687], 0.561),
  box([-2.017, 0.018, 6.124], [2.002, 4.566, 2.064], 0.333),
  box([2.291, -0.756, -2.621], [1.546, 1.552, 1.496], -0.286),
  box([-2.193, -0.369, -5.547], [3.875, 3.487, 2.986], 0.516),
  box([-16.116, 14.37, 8.208], [0.1, 2.428, 2.739], 0, 50),
  box([-16.109, 18.021, -8.207], [0.1, 2.425, 2.751], 0, 50),
  box([14.904, 12.198, -1.832], [0.15, 4.265, 6.331], 0, 17),
  box([-0.462, 8.89, 14.52], [4.38, 5.441, 0.088], 0, 43),
  box([3.235, 11.486, -12.541], [2.5, 2, 0.1], 0, 20),
  box([0, 20, 0], [1, 0.1, 1], 0, 100),
];

// How far a ray from the eye goes until it meets a box, and through which of its sides: ±(axis + 1). `inside`: where it leaves it.
const hit = { far: 0, side: 0 };
const slabs = { near: 0.5, far: 0.5, first: 0, last: 0 }; // of the pairs of sides looked at so far
function slab(half: number, from: number, along: number, axis: number): void {
  const sign = along < 0 ? -1 : 1;
  const enter = (-sign * half - from) / along;
  const leave = (sign * half - from) / along;
  if (enter > slabs.near) {
    slabs.near = enter;
    slabs.first = -sign * axis;
  }
  if (leave < slabs.far) {
    slabs.far = leave;
    slabs.last = sign * axis;
  }
}
function meets(b: Box, x: number, y: number, z: number, inside: boolean): boolean {
  const ox = eye[0] - b.centre[0], oy = eye[1] - b.centre[1], oz = eye[2] - b.centre[2];
  slabs.near = -Infinity;
  slabs.far = Infinity;
  slab(b.half[0], b.cosine * ox - b.sine * oz, b.cosine * x - b.sine * z, 1);
  slab(b.half[1], oy, y, 2);
  slab(b.half[2], b.sine * ox + b.cosine * oz, b.sine * x + b.cosine * z, 3);
  if (slabs.near > slabs.far || (inside ? slabs.far : slabs.near) <= 0) return false;
  hit.far = inside ? slabs.far : slabs.near;
  hit.side = inside ? -slabs.last : slabs.first;
  return true;
}

// What a white wall sends back of the lamp's light, at a place with a normal.
function lit(b: Box, side: number, x: number, y: number, z: number, far: number): number {
  const axis = Math.abs(side) - 1;
  const out = Math.sign(side);
  const tx = lamp.place[0] - eye[0] - x * far, ty = lamp.place[1] - eye[1] - y * far, tz = lamp.place[2] - eye[2] - z * far;
  const distance = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const straight = axis === 1 ? ty : axis === 0 ? b.cosine * tx - b.sine * tz : b.sine * tx + b.cosine * tz;
  const facing = (out * straight) / distance;
  if (facing <= 0) return 0;
  const fade = Math.max(1 - (distance / lamp.reach) ** 4, 0) ** 2;
  return (lamp.strength * fade * facing) / (distance * distance) / Math.PI;
}

// The light from a direction: a unit vector in the stage's axes.
export function roomRadiance(x: number, y: number, z: number): number {
  meets(walls, x, y, z, true);
  let seen = walls, side = hit.side, nearest = hit.far;
  for (let i = 0; i < furniture.length; i++) {
    if (!meets(furniture[i]!, x, y, z, false) || hit.far >= nearest) continue;
    seen = furniture[i]!;
    side = hit.side;
    nearest = hit.far;
  }
  return seen.light > 0 ? seen.light : lit(seen, side, x, y, z, nearest);
}
