// Clips blended and layered: what is played on top of the chosen clip, and with which weight.
import type { ClipInfo, Layer } from '../../core/api.ts';
import { createStore } from './store.ts';

export interface MixLayer {
  clip: string;
  weight: number;
  additive: boolean;
  only: '' | 'upper' | 'lower';
}
export const mix = createStore<MixLayer[]>([]);

// Layers keep their own time: each goes round in its own length, so that a short one repeats under a long one.
export function mixLayers(clips: ClipInfo[], chosen: number, time: number): Layer[] {
  const base = clips[chosen];
  if (!base) return [];
  const layers: Layer[] = [{ clip: String(chosen), time }];
  for (const layer of mix.get()) {
    const clip = clips.find((c) => c.name === layer.clip);
    if (!clip || layer.weight <= 0) continue;
    const at = clip.duration > 0 ? time % clip.duration : 0;
    const number = String(clips.indexOf(clip));
    layers.push({ clip: number, time: at, weight: layer.weight, ...(layer.additive ? { additive: true } : {}), ...(layer.only ? { only: layer.only } : {}) });
  }
  return layers;
}
