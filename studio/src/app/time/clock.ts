// The moment that is shown, and how it goes on. The stage asks every frame; views that show the time watch.
export interface ClockState {
  time: number;
  playing: boolean;
  speed: number; // negative: backwards
  loop: boolean;
  from: number; // the part that is played
  to: number;
  duration: number;
}

export const frameRate = 30; // steps of the arrow keys, as the built-in motions are keyed

// The next moment after `seconds` of real time: inside the played part, around or at its end.
export function advance(state: ClockState, seconds: number): ClockState {
  const length = state.to - state.from;
  if (!state.playing || length <= 0) return state;
  const time = state.time + seconds * state.speed;
  if (time >= state.from && time <= state.to) return { ...state, time };
  if (!state.loop) return { ...state, time: time > state.to ? state.to : state.from, playing: false };
  const around = (((time - state.from) % length) + length) % length;
  return { ...state, time: state.from + around };
}

export function clamped(time: number, duration: number): number {
  return Math.min(Math.max(time, 0), duration);
}

class Clock {
  private state: ClockState = { time: 0, playing: true, speed: 1, loop: true, from: 0, to: 0, duration: 0 };
  private watchers = new Set<(state: ClockState) => void>();

  get(): ClockState {
    return this.state;
  }
  watch(seen: (state: ClockState) => void): () => void {
    this.watchers.add(seen);
    return () => this.watchers.delete(seen);
  }
  set(change: Partial<ClockState>): void {
    this.state = { ...this.state, ...change };
    for (const seen of this.watchers) seen(this.state);
  }
  tick(seconds: number): void {
    const next = advance(this.state, seconds);
    if (next !== this.state) this.set(next);
  }

  setDuration(duration: number): void {
    const whole = this.state.from === 0 && this.state.to === this.state.duration;
    const to = whole || this.state.to > duration ? duration : this.state.to;
    const from = this.state.from < to ? this.state.from : 0;
    this.set({ duration, from, to, time: clamped(this.state.time, duration) });
  }
  seek(time: number): void {
    this.set({ time: clamped(time, this.state.duration), playing: false });
  }
  step(frames: number): void {
    const frame = Math.round(this.state.time * frameRate) + frames;
    this.seek(frame / frameRate);
  }
  toggle(): void {
    const atEnd = this.state.time >= this.state.to && !this.state.loop;
    this.set({ playing: !this.state.playing, ...(atEnd ? { time: this.state.from } : {}) });
  }
  // J, K, L as in film editing: backwards, stop, forwards; again for twice as fast.
  shuttle(direction: -1 | 0 | 1): void {
    if (direction === 0) return this.set({ playing: false, speed: 1 });
    const same = this.state.playing && Math.sign(this.state.speed) === direction;
    const fastest = 4;
    const speed = same ? direction * Math.min(Math.abs(this.state.speed) * 2, fastest) : direction;
    this.set({ playing: true, speed });
  }
}

export const clock = new Clock();
