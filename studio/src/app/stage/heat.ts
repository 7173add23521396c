// Weights of one joint as a number per vertex, for the heat map.
import * as THREE from 'three';
import type { SkinPart } from '../../core/api.ts';

export function jointWeights(skin: SkinPart, joint: number, out: Float32Array): void {
  const local = skin.joints.indexOf(joint);
  for (let v = 0; v + 1 < skin.first.length; v++) {
    let weight = 0;
    for (let i = skin.first[v]!; local >= 0 && i < skin.first[v + 1]!; i++) if (skin.joint[i] === local) weight = skin.weight[i]!;
    out[v] = weight;
  }
}

export function fillHeat(geometry: THREE.BufferGeometry, skin: SkinPart | null, joint: number): void {
  const attribute = geometry.getAttribute('heat') as THREE.BufferAttribute;
  const values = attribute.array as Float32Array;
  if (skin) jointWeights(skin, joint, values);
  else values.fill(0);
  attribute.needsUpdate = true;
}
