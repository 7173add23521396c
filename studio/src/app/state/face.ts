// Morph weights by hand: shown at once, and kept as keys of the clip.
import type { Track } from '../../core/api.ts';
import type { Stage } from '../stage/stage.ts';
import { clock } from '../time/clock.ts';
import { change, clipName, theCore, work } from './app.ts';
import { createStore } from './store.ts';
import { made, say, view } from './view.ts';
import { withEdit } from './work.ts';

export const face = createStore<Float32Array | null>(null);

export function faceWeights(stage: Stage): Float32Array {
  return face.get() ?? stage.frame?.morphs ?? new Float32Array(0);
}

export function setFace(stage: Stage, weights: Float32Array | null): void {
  face.set(weights);
  stage.handMorphs = weights;
  stage.askFrame(true);
}

// One more key in a track of morph weights; a key at the same moment is replaced.
export function withMorphKey(track: Track, time: number, weights: Float32Array): Track {
  const width = track.width;
  const keys = Array.from(track.times, (t, i) => ({ t, values: track.values.slice(i * width, (i + 1) * width) }));
  const near = 1e-3; // seconds
  const kept = keys.filter((k) => Math.abs(k.t - time) > near);
  const all = [...kept, { t: time, values: weights }].sort((a, b) => a.t - b.t);
  const values = new Float32Array(all.length * width);
  all.forEach((k, i) => values.set(k.values, i * width));
  return { ...track, interpolation: 'linear', times: Float32Array.from(all, (k) => k.t), values };
}

// Writes the face as keys at the moment that is shown.
export async function keyFace(stage: Stage): Promise<void> {
  const weights = face.get();
  const current = made.get();
  if (!weights || !current) return;
  if (current.state.info.clips.length === 0) return say('There is no clip to put keys into. Choose a motion first.', 'bad');
  const clip = String(view.get().clip);
  const [{ tracks }, { instances }] = await Promise.all([
    theCore().call('clip', { id: current.document, clip }),
    theCore().call('morphs', { id: current.document }),
  ]);
  const time = clock.get().time;
  const next = [...tracks];
  for (const { first, names } of instances) {
    if (names.length === 0) continue;
    const mine = weights.slice(first, first + names.length);
    const at = next.findIndex((t) => t.path === 'morphs' && t.target === first);
    const empty: Track = { target: first, path: 'morphs', interpolation: 'linear', width: names.length, times: new Float32Array(0), values: new Float32Array(0) };
    const track = withMorphKey(at >= 0 ? next[at]! : empty, time, mine);
    if (at >= 0) next[at] = track;
    else next.push(track);
  }
  await change('Key the face', withEdit(work(), 'set_clip', 'Key the face', { clip, name: clipName(), tracks: next }));
  setFace(stage, null);
}
