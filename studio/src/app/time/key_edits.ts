// Keys of a joint moved in time or taken away: tracks in, tracks out.
import type { Track } from '../../core/api.ts';

const near = 1e-4; // seconds

function perKey(track: Track): number {
  return track.width * (track.interpolation === 'cubic' ? 3 : 1);
}

function withKeys(track: Track, keys: { time: number; values: Float32Array }[]): Track {
  const size = perKey(track);
  const values = new Float32Array(keys.length * size);
  keys.forEach((k, i) => values.set(k.values, i * size));
  return { ...track, times: Float32Array.from(keys, (k) => k.time), values };
}

function keysOf(track: Track): { time: number; values: Float32Array }[] {
  const size = perKey(track);
  return Array.from(track.times, (time, i) => ({ time, values: track.values.slice(i * size, (i + 1) * size) }));
}

const within = (time: number, from: number, to: number) => time >= from - near && time <= to + near;

// Keys that a moved one lands on are replaced.
export function moveKeys(tracks: Track[], joint: number, from: number, to: number, seconds: number): Track[] {
  return tracks.map((track) => {
    if (track.target !== joint || track.path === 'morphs') return track;
    const keys = keysOf(track);
    const moved = keys.filter((k) => within(k.time, from, to)).map((k) => ({ ...k, time: Math.max(k.time + seconds, 0) }));
    if (moved.length === 0) return track;
    const stay = keys.filter((k) => !within(k.time, from, to) && !moved.some((m) => Math.abs(m.time - k.time) <= near));
    return withKeys(track, [...stay, ...moved].sort((a, b) => a.time - b.time));
  });
}

// A track keeps at least one key: the last one stands for its value.
export function removeKeys(tracks: Track[], joint: number, from: number, to: number): Track[] {
  return tracks.map((track) => {
    if (track.target !== joint || track.path === 'morphs') return track;
    const keys = keysOf(track);
    const stay = keys.filter((k) => !within(k.time, from, to));
    return stay.length === keys.length ? track : withKeys(track, stay.length > 0 ? stay : keys.slice(0, 1));
  });
}
