// The weights of a part with some vertices replaced.
import type { SkinPart } from '../../core/api.ts';

export interface Changed {
  vertices: Uint32Array;
  first: Uint32Array;
  joint: Uint32Array;
  weight: Float32Array;
}

export function withVertices(skin: SkinPart, changed: Changed): SkinPart {
  const replaced = new Map<number, number>();
  changed.vertices.forEach((v, i) => replaced.set(v, i));
  const count = skin.first.length - 1;
  const first = new Uint32Array(count + 1);
  for (let v = 0; v < count; v++) {
    const i = replaced.get(v);
    const size = i === undefined ? skin.first[v + 1]! - skin.first[v]! : changed.first[i + 1]! - changed.first[i]!;
    first[v + 1] = first[v]! + size;
  }
  const joint = new Uint32Array(first[count]!);
  const weight = new Float32Array(first[count]!);
  for (let v = 0; v < count; v++) {
    const i = replaced.get(v);
    const from = i === undefined ? skin : changed;
    const at = i === undefined ? v : i;
    joint.set(from.joint.subarray(from.first[at]!, from.first[at + 1]!), first[v]!);
    weight.set(from.weight.subarray(from.first[at]!, from.first[at + 1]!), first[v]!);
  }
  return { ...skin, first, joint, weight };
}
