// What the time views show of the chosen clip: keys of each joint, and when feet stand.
import type { Contact, Track } from '../../core/api.ts';
import { theCore } from '../state/app.ts';
import { createStore } from '../state/store.ts';
import { made, view, whilePending } from '../state/view.ts';

export interface TimeFacts {
  document: number;
  clip: number;
  tracks: Track[];
  contacts: Contact[];
  keyTimes: number[]; // all moments with a key, in order
}
const nothing: TimeFacts = { document: -1, clip: -1, tracks: [], contacts: [], keyTimes: [] };
export const timeFacts = createStore<TimeFacts>(nothing);

export function uniqueTimes(tracks: Track[]): number[] {
  const near = 1e4; // a tenth of a millisecond counts as the same moment
  const all = new Set<number>();
  for (const track of tracks) for (const time of track.times) all.add(Math.round(time * near));
  return [...all].sort((a, b) => a - b).map((t) => t / near);
}

async function refresh(): Promise<void> {
  const current = made.get();
  const clip = view.get().clip;
  if (!current || !current.state.info.clips[clip]) return timeFacts.set(nothing);
  const { document } = current;
  if (timeFacts.get().document === document && timeFacts.get().clip === clip) return;
  const { tracks } = await theCore().call('clip', { id: document, clip: String(clip) });
  const contacts = await theCore().call('contacts', { id: document, clip: String(clip) }).then((r) => r.contacts).catch(() => []);
  if (made.get()?.document !== document || view.get().clip !== clip) return;
  timeFacts.set({ document, clip, tracks, contacts, keyTimes: uniqueTimes(tracks) });
}

made.watch(() => void whilePending(refresh));
view.watch((v, before) => v.clip !== before.clip && void whilePending(refresh));
