// A channel of a curve with one key changed.
import type { Channel } from '../../core/api.ts';

const leastApart = 1e-3; // seconds between two keys

// A key stays between its neighbours.
export function movedKey(channel: Channel, key: number, time: number, value: number): Channel {
  const low = key > 0 ? channel.times[key - 1]! + leastApart : 0;
  const high = key + 1 < channel.times.length ? channel.times[key + 1]! - leastApart : Infinity;
  const times = channel.times.slice();
  const values = channel.values.slice();
  times[key] = Math.min(Math.max(time, low), high);
  values[key] = value;
  return { ...channel, times, values };
}

// Both sides of a key keep one slope, unless it is broken.
export function withSlope(channel: Channel, key: number, side: 'in' | 'out', slope: number, broken: boolean): Channel {
  const sides = { in: channel.in.slice(), out: channel.out.slice() };
  sides[side][key] = slope;
  if (!broken) sides[side === 'in' ? 'out' : 'in'][key] = slope;
  return { ...channel, ...sides };
}

export function flatKey(channel: Channel, key: number): Channel {
  return withSlope(channel, key, 'in', 0, false);
}
