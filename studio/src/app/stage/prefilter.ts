// Light from all around as a cube of pictures, sharp and ever softer: what materials of some roughness mirror of it. Grey only.
// Data flow: radiance by direction → *here* → environment.ts, as a texture. Levels as three's PMREMGenerator makes them.

export type Radiance = (x: number, y: number, z: number) => number;

// The faces in the order and with the axes of OpenGL's cube maps: the middle, one step to the right, one step down.
type Face = readonly [mx: number, my: number, mz: number, rx: number, ry: number, rz: number, dx: number, dy: number, dz: number];
const cube: readonly Face[] = [
  [1, 0, 0, 0, 0, -1, 0, -1, 0], [-1, 0, 0, 0, 0, 1, 0, -1, 0], [0, 1, 0, 1, 0, 0, 0, 0, 1],
  [0, -1, 0, 1, 0, 0, 0, 0, -1], [0, 0, 1, 1, 0, 0, 0, -1, 0], [0, 0, -1, -1, 0, 0, 0, -1, 0],
];

// The direction of a pixel, as a unit vector: written to `to` (arrays made for each would cost more than all the rest).
// Pixels beyond the edges go on in the same plane. Returns how far the plane is there, its middle being 1 away.
const to = new Float64Array(3);
export function pixelDirection(face: number, side: number, column: number, row: number, out = to): number {
  const f = cube[face]!;
  const s = ((column + 0.5) / side) * 2 - 1;
  const t = ((row + 0.5) / side) * 2 - 1;
  const x = f[0] + s * f[3] + t * f[6], y = f[1] + s * f[4] + t * f[7], z = f[2] + s * f[5] + t * f[8];
  const length = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  return length;
}

export interface Level {
  side: number; // pixels
  faces: Float32Array[];
}

const smallest = 8; // pixels: the roughest level, which is also the light on what mirrors nothing

// The mean of neighbours, `step` numbers apart, under a bell.
function softened(from: Float32Array, at: number, step: number, bell: number[]): number {
  let sum = 0;
  for (let k = 0; k < bell.length; k++) sum += bell[k]! * from[at + k * step]!;
  return sum;
}
// A face seen sharply, with some pixels beyond its edges, and softened by a bell as wide as `sigma` pixels.
function softFace(radiance: Radiance, face: number, side: number, sigma: number): Float32Array {
  const reach = Math.ceil(2 * sigma);
  const wide = side + 2 * reach;
  const sharp = new Float32Array(wide * wide);
  for (let j = 0; j < wide; j++)
    for (let i = 0; i < wide; i++) {
      pixelDirection(face, side, i - reach, j - reach);
      sharp[j * wide + i] = radiance(to[0]!, to[1]!, to[2]!);
    }
  const heights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-0.5 * ((k - reach) / sigma) ** 2));
  const total = heights.reduce((a, b) => a + b, 0);
  const bell = heights.map((h) => h / total);
  const rows = new Float32Array(wide * side);
  for (let j = 0; j < wide; j++) for (let i = 0; i < side; i++) rows[j * side + i] = softened(sharp, j * wide + i, 1, bell);
  const soft = new Float32Array(side * side);
  for (let j = 0; j < side; j++) for (let i = 0; i < side; i++) soft[j * side + i] = softened(rows, j * side + i, side, bell);
  return soft;
}

function smaller(face: Float32Array, side: number, times: number): Float32Array {
  const next = side / times;
  const small = new Float32Array(next * next);
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) small[Math.floor(j / times) * next + Math.floor(i / times)]! += face[j * side + i]! / (times * times);
  return small;
}

// Directions of all pixels of a small cube, what comes from there, and the share of the sky that each is.
interface Sky {
  direction: Float32Array; // three numbers each
  value: Float32Array;
  share: Float32Array;
}
function skyOf(level: Level): Sky {
  const count = level.side * level.side;
  const sky: Sky = { direction: new Float32Array(18 * count), value: new Float32Array(6 * count), share: new Float32Array(6 * count) };
  level.faces.forEach((face, f) => {
    for (let p = 0; p < count; p++) {
      const at = f * count + p;
      sky.share[at] = 1 / pixelDirection(f, level.side, p % level.side, Math.floor(p / level.side)) ** 3;
      sky.direction.set(to, 3 * at);
      sky.value[at] = face[p]!;
    }
  });
  return sky;
}

// What a surface of this roughness mirrors when it is looked at straight: all directions, weighted with the GGX lobe.
function mirrored(sky: Sky, x: number, y: number, z: number, alpha: number): number {
  const a2 = alpha * alpha;
  const least = 1 - Math.min(400 * a2, 1); // cosine: beyond it a sharp lobe has nothing
  let sum = 0;
  let total = 0;
  for (let i = 0; i < sky.value.length; i++) {
    const facing = x * sky.direction[3 * i]! + y * sky.direction[3 * i + 1]! + z * sky.direction[3 * i + 2]!;
    if (facing <= least) continue;
    const d = 1 + a2 + (a2 - 1) * facing;
    const weight = (facing * sky.share[i]!) / (d * d);
    sum += weight * sky.value[i]!;
    total += weight;
  }
  return sum / total;
}

function rough(sky: Sky, side: number, roughness: number): Level {
  const alpha = roughness * roughness;
  const faces = cube.map((_, f) => {
    const face = new Float32Array(side * side);
    for (let p = 0; p < face.length; p++) {
      pixelDirection(f, side, p % side, Math.floor(p / side));
      face[p] = mirrored(sky, to[0]!, to[1]!, to[2]!, alpha);
    }
    return face;
  });
  return { side, faces };
}

// Levels from `side` pixels down to the smallest, each for the roughness that three looks up there.
export function prefiltered(radiance: Radiance, side: number, blur: number): Level[] {
  const sharp: Level = { side, faces: cube.map((_, f) => softFace(radiance, f, side, (blur * side) / (Math.PI / 2))) };
  const source = 16; // pixels: what the rough levels are made of
  const sky = skyOf({ side: source, faces: sharp.faces.map((face) => smaller(face, side, side / source)) });
  const last = Math.log2(side / smallest);
  return [sharp, ...Array.from({ length: last }, (_, i) => rough(sky, side >> (i + 1), 1 - Math.sqrt(1 - (i + 1) / last)))];
}
