// The whole clip as a bar: moments, keys, when feet stand, the part that is played.
import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { view } from '../state/view.ts';
import { usePaper, type Paper } from './canvas.ts';
import { clock, frameRate } from './clock.ts';
import { timeFacts } from './facts.ts';
import { marks, roundStep, toPixel, toValue, type Scale } from './scale.ts';

export const gutter = 14; // pixels at both ends
const grip = 8; // pixels around an end of the played part

export function timeScale(width: number): Scale {
  return { from: 0, to: clock.get().duration || 1, left: gutter, width: width - 2 * gutter };
}

export function drawPlayhead({ c, height, colour }: Paper, scale: Scale, top = 0): void {
  const x = toPixel(scale, clock.get().time);
  c.fillStyle = colour('accent');
  c.fillRect(x - 0.75, top, 1.5, height - top);
  c.beginPath();
  c.moveTo(x - 5, top);
  c.lineTo(x + 5, top);
  c.lineTo(x, top + 7);
  c.fill();
}

export function drawMoments({ c, height, colour }: Paper, scale: Scale, textAt: number): void {
  const step = roundStep(scale.to - scale.from, scale.width, 56);
  c.textAlign = 'center';
  for (const time of marks(scale.from, scale.to, step)) {
    const x = toPixel(scale, time);
    c.fillStyle = colour('line');
    c.fillRect(x, textAt + 3, 1, height);
    c.fillStyle = colour('muted');
    c.fillText(`${Number(time.toFixed(3))} s`, x, textAt);
  }
}

function drawTimeline(paper: Paper): void {
  const { c, width, height, colour } = paper;
  const scale = timeScale(width);
  const { from, to } = clock.get();
  const [left, right] = [toPixel(scale, from), toPixel(scale, to)];
  c.fillStyle = colour('raised');
  c.fillRect(gutter, 16, width - 2 * gutter, height - 20);
  if (from > 0 || to < clock.get().duration) {
    c.fillStyle = colour('accent-soft');
    c.fillRect(left, 16, right - left, height - 20);
  }
  drawMoments(paper, scale, 11);
  const { contacts, keyTimes } = timeFacts.get();
  const feet = [...new Set(contacts.map((k) => k.joint))];
  const lane = Math.min(5, 16 / Math.max(feet.length, 1));
  c.fillStyle = colour('good');
  for (const contact of contacts) {
    const x = toPixel(scale, contact.from);
    c.fillRect(x, height - 6 - (feet.indexOf(contact.joint) + 1) * (lane + 1), Math.max(toPixel(scale, contact.to) - x, 1), lane);
  }
  c.fillStyle = colour('muted');
  const room = scale.width / Math.max(keyTimes.length, 1);
  if (room > 3) for (const time of keyTimes) c.fillRect(toPixel(scale, time) - 0.5, 18, 1.5, 6);
  c.fillStyle = colour('accent');
  for (const x of [left, right]) c.fillRect(x - 1.5, 16, 3, height - 20);
  drawPlayhead(paper, scale, 14);
}

export function Timeline() {
  useStore(timeFacts, (f) => f);
  useStore(view, (v) => v.theme);
  const { canvas, redraw } = usePaper(drawTimeline);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => clock.watch(() => {
    redraw();
    const { time, duration } = clock.get();
    box.current?.setAttribute('aria-valuenow', time.toFixed(2));
    box.current?.setAttribute('aria-valuemax', duration.toFixed(2));
  }), []);
  const down = (event: PointerEvent) => {
    const at = canvas.current!.getBoundingClientRect();
    const scale = timeScale(at.width);
    const { from, to } = clock.get();
    const x = event.clientX - at.left;
    const near = (time: number) => Math.abs(toPixel(scale, time) - x) < grip;
    const low = event.clientY - at.top > 16;
    const onPlayhead = near(clock.get().time);
    const what = low && !onPlayhead && near(to) ? 'to' : low && !onPlayhead && near(from) ? 'from' : 'time';
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => {
      const time = Math.min(Math.max(toValue(scale, e.clientX - at.left), 0), clock.get().duration);
      const frame = 1 / frameRate;
      if (what === 'from') clock.set({ from: Math.min(time, clock.get().to - frame) });
      else if (what === 'to') clock.set({ to: Math.max(time, clock.get().from + frame) });
      else clock.seek(time);
    };
    move(event);
    const element = event.currentTarget as HTMLElement;
    const up = () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
  };
  return (
    <div ref={box} class="timeline" role="slider" tabIndex={0} aria-label="Moment of the clip, in seconds" aria-valuemin={0} aria-valuemax={0} aria-valuenow={0}
      title="Drag to another moment; drag the ends to play a part" onPointerDown={down} onDblClick={() => clock.set({ from: 0, to: clock.get().duration })}>
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}
