// Play, step, loop, speed, and the moment as numbers.
import { useEffect, useRef, useState } from 'preact/hooks';
import { selectClip } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, setView, view } from '../state/view.ts';
import { IconButton } from '../ui/controls.tsx';
import { icons } from '../ui/icons.tsx';
import { clock, frameRate } from './clock.ts';
import { keyNow } from './keying.ts';

const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

export function useClock<P>(pick: (state: ReturnType<typeof clock.get>) => P): P {
  const [value, setValue] = useState(() => pick(clock.get()));
  useEffect(() => clock.watch((state) => setValue(() => pick(state))), []);
  return value;
}

function Moment() {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = () => {
      const { time, duration } = clock.get();
      const frame = Math.round(time * frameRate);
      if (box.current) box.current.textContent = `${time.toFixed(2)} / ${duration.toFixed(2)} s · frame ${frame}`;
    };
    show();
    return clock.watch(show);
  }, []);
  return <span class="moment" ref={box} role="timer" aria-label="Moment" />;
}

export function Transport() {
  const playing = useClock((c) => c.playing);
  const loop = useClock((c) => c.loop);
  const speed = useClock((c) => c.speed);
  const clip = useStore(view, (v) => v.clip);
  const autoKey = useStore(view, (v) => v.autoKey);
  const clips = useStore(made, (m) => m?.state.info.clips ?? null);
  const shown = Math.abs(speed);
  const known = speeds.includes(shown) ? speeds : [...speeds, shown].sort((a, b) => a - b);
  return (
    <div class="transport">
      <IconButton icon={icons.toStart()} label="To the start" keys="Home" onClick={() => clock.seek(clock.get().from)} />
      <IconButton icon={icons.stepBack()} label="One frame back" keys="←" onClick={() => clock.step(-1)} />
      <IconButton icon={playing ? icons.pause() : icons.play()} label={playing ? 'Stop' : 'Play'} keys="Space" onClick={() => clock.toggle()} />
      <IconButton icon={icons.stepOn()} label="One frame on" keys="→" onClick={() => clock.step(1)} />
      <IconButton icon={icons.toEnd()} label="To the end" keys="End" onClick={() => clock.seek(clock.get().to)} />
      <IconButton icon={icons.loop()} label="Loop" pressed={loop} onClick={() => clock.set({ loop: !loop })} />
      <Moment />
      <label class="wide-only speed"><span class="unseen">Speed</span>
        <select value={String(shown)} onChange={(e) => clock.set({ speed: Number(e.currentTarget.value) * (speed < 0 ? -1 : 1) })}>
          {known.map((s) => <option key={s} value={String(s)} selected={s === shown}>{s}×</option>)}
        </select>
      </label>
      {clips && clips.length > 0 && (
        <label class="clip-choice"><span class="unseen">Clip</span>
          <select value={String(clip)} onChange={(e) => selectClip(Number(e.currentTarget.value))}>
            {clips.map((c, i) => <option key={`${i} ${c.name}`} value={String(i)} selected={i === clip}>{c.name || `clip ${i + 1}`}</option>)}
          </select>
        </label>
      )}
      <span class="wide-only row keying">
        <IconButton icon={icons.key()} label="Set a key here" keys="S" onClick={() => void keyNow()} />
        <label class="auto-key"><input type="checkbox" checked={autoKey} onChange={(e) => setView({ autoKey: e.currentTarget.checked })} />Auto-key</label>
      </span>
    </div>
  );
}
