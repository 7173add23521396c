// The curves of one joint: keys with tangents, dragged with the pointer. The core makes the curves and takes them back.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Channel } from '../../core/api.ts';
import { changeEdit, sentence, theCore } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, say, view, whilePending } from '../state/view.ts';
import { Segments, Toggle } from '../ui/controls.tsx';
import { usePaper, type Paper } from './canvas.ts';
import { clock } from './clock.ts';
import { flatKey, movedKey, withSlope } from './channel_edits.ts';
import { marks, roundStep, toPixel, toValue, type Scale } from './scale.ts';
import { drawMoments, drawPlayhead } from './timeline.tsx';

const colours = ['#f2665b', '#55b764', '#4a90e8'];
const axes = ['x', 'y', 'z'];
const units = { rotation: '°', translation: ' m', scale: '' };
const tolerances = { rotation: 0.5, translation: 0.002, scale: 0.002 }; // degrees, metres: what fewer keys may cost
const left = 56;
const handleLength = 34; // pixels

type Path = 'rotation' | 'translation' | 'scale';
type Grab = { channel: number; key: number; part: 'key' | 'in' | 'out' };

// A cubic between two keys, only to draw it: what the core evaluates is the same Hermite curve.
function drawSegment(c: CanvasRenderingContext2D, channel: Channel, i: number, x: Scale, y: Scale): void {
  const [t0, t1] = [channel.times[i]!, channel.times[i + 1]!];
  const third = (t1 - t0) / 3;
  const px = (t: number) => toPixel(x, t);
  const py = (v: number) => toPixel(y, v);
  c.bezierCurveTo(px(t0 + third), py(channel.values[i]! + channel.out[i]! * third), px(t1 - third), py(channel.values[i + 1]! - channel.in[i + 1]! * third), px(t1), py(channel.values[i + 1]!));
}

function valueRange(channels: Channel[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const channel of channels)
    for (const v of channel.values) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  if (!Number.isFinite(low)) return [-1, 1];
  const margin = Math.max((high - low) * 0.18, Math.abs(high) * 0.02, 1e-3);
  return [low - margin, high + margin];
}

export function CurveEditor() {
  const joint = useStore(view, (v) => v.joint);
  const clip = useStore(view, (v) => v.clip);
  const document = useStore(made, (m) => m?.document ?? null);
  useStore(view, (v) => v.theme);
  const [path, setPath] = useState<Path>('rotation');
  const [channels, setChannels] = useState<Channel[]>([]);
  const [fewer, setFewer] = useState(false);
  const [chosen, setChosen] = useState<Grab | null>(null);
  const grabbed = useRef<{ grab: Grab; range: [number, number]; before: Channel[] } | null>(null);
  const latest = useRef(channels);
  latest.current = channels;

  useEffect(() => {
    setChosen(null);
    if (!joint || document === null) return setChannels([]);
    let current = true;
    const asked = { id: document, clip: String(clip), joint, path, ...(fewer ? { tolerance: tolerances[path] } : {}) };
    whilePending(() => theCore().call('channels', asked))
      .then((r) => current && setChannels(r.channels))
      .catch(() => current && setChannels([]));
    return () => void (current = false);
  }, [joint, clip, document, path, fewer]);

  const scales = (width: number, height: number): [Scale, Scale] => {
    const [low, high] = grabbed.current?.range ?? valueRange(channels);
    return [
      { from: 0, to: clock.get().duration || 1, left, width: width - left - 14 },
      { from: low, to: high, left: height - 6, width: -(height - 24) },
    ];
  };
  const slopeEnd = (channel: Channel, key: number, part: 'in' | 'out', x: Scale, y: Scale): [number, number] => {
    const slope = part === 'in' ? channel.in[key]! : channel.out[key]!;
    const dx = x.width / (x.to - x.from);
    const dy = (y.width / (y.to - y.from)) * slope;
    const length = Math.hypot(dx, dy) || 1;
    const sign = part === 'in' ? -1 : 1;
    return [toPixel(x, channel.times[key]!) + (sign * dx * handleLength) / length, toPixel(y, channel.values[key]!) + (sign * dy * handleLength) / length];
  };

  const draw = (paper: Paper) => {
    const { c, width, height, colour } = paper;
    const [x, y] = scales(width, height);
    drawMoments(paper, x, 11);
    c.textAlign = 'right';
    for (const value of marks(y.from, y.to, roundStep(y.to - y.from, -y.width, 26))) {
      c.fillStyle = colour('line');
      c.fillRect(left, toPixel(y, value), width, 1);
      c.fillStyle = colour('muted');
      c.fillText(`${Number(value.toFixed(3))}${units[path]}`, left - 6, toPixel(y, value) + 4);
    }
    channels.forEach((channel, a) => {
      if (channel.times.length === 0) return;
      c.strokeStyle = colours[a]!;
      c.lineWidth = chosen?.channel === a ? 2.2 : 1.5;
      c.beginPath();
      c.moveTo(left, toPixel(y, channel.values[0]!));
      c.lineTo(toPixel(x, channel.times[0]!), toPixel(y, channel.values[0]!));
      for (let i = 0; i + 1 < channel.times.length; i++) drawSegment(c, channel, i, x, y);
      c.lineTo(width - 14, toPixel(y, channel.values.at(-1)!));
      c.stroke();
      c.fillStyle = colours[a]!;
      channel.times.forEach((time, i) => {
        const on = chosen?.channel === a && chosen.key === i;
        const size = on ? 4.5 : 3;
        c.fillRect(toPixel(x, time) - size, toPixel(y, channel.values[i]!) - size, size * 2, size * 2);
        if (!on) return;
        for (const part of ['in', 'out'] as const) {
          const [hx, hy] = slopeEnd(channel, i, part, x, y);
          c.beginPath();
          c.moveTo(toPixel(x, time), toPixel(y, channel.values[i]!));
          c.lineTo(hx, hy);
          c.stroke();
          c.beginPath();
          c.arc(hx, hy, 4, 0, 7);
          c.fill();
        }
      });
    });
    drawPlayhead(paper, x, 2);
  };
  const { canvas, redraw } = usePaper(draw);
  useEffect(() => clock.watch(redraw), []);

  const find = (px: number, py: number, x: Scale, y: Scale): Grab | null => {
    const close = (ax: number, ay: number) => Math.hypot(ax - px, ay - py) < 8;
    if (chosen) {
      const channel = channels[chosen.channel]!;
      for (const part of ['in', 'out'] as const) if (close(...slopeEnd(channel, chosen.key, part, x, y))) return { ...chosen, part };
    }
    for (let a = channels.length - 1; a >= 0; a--)
      for (let i = 0; i < channels[a]!.times.length; i++)
        if (close(toPixel(x, channels[a]!.times[i]!), toPixel(y, channels[a]!.values[i]!))) return { channel: a, key: i, part: 'key' };
    return null;
  };
  const place = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, ...scales(box.width, box.height)] as const;
  };
  const down = (event: PointerEvent) => {
    const [px, py, x, y] = place(event);
    const grab = find(px, py, x, y);
    setChosen(grab);
    if (!grab) return clock.seek(toValue(x, px));
    grabbed.current = { grab, range: [y.from, y.to], before: latest.current };
    canvas.current!.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (!grabbed.current) return;
    const [px, py, x, y] = place(event);
    const { channel, key, part } = grabbed.current.grab;
    const before = latest.current[channel]!;
    const [time, value] = [toValue(x, px), toValue(y, py)];
    const next = part === 'key' ? movedKey(before, key, time, value) : withSlope(before, key, part, (value - before.values[key]!) / (time - before.times[key]! || 1e-6), event.altKey);
    setChannels(latest.current.map((c, i) => (i === channel ? next : c)));
  };
  const up = () => {
    const moved = grabbed.current && grabbed.current.before !== latest.current; // a click only chooses
    grabbed.current = null;
    if (moved) void commit('Change a curve', latest.current);
  };
  const commit = async (label: string, next: Channel[]) => {
    try {
      await changeEdit('set_channels', label, { clip: String(clip), joint, path, channels: next });
    } catch (error) {
      say(sentence(error), 'bad');
    }
  };
  const flatten = () => {
    if (!chosen) return;
    const next = channels.map((c, i) => (i === chosen.channel ? flatKey(c, chosen.key) : c));
    setChannels(next);
    void commit('Flat tangent', next);
  };

  return (
    <div class="curves">
      <div class="curve-bar">
        <strong>{joint ?? 'No joint'}</strong>
        <Segments label="What to show" value={path} choices={[['rotation', 'Turn'], ['translation', 'Move'], ['scale', 'Scale']]} onChange={(p) => setPath(p as Path)} />
        <span class="row legend">{axes.map((a, i) => <span key={a} style={{ color: colours[i]! }}>■ {a}</span>)}</span>
        <button type="button" class="button" disabled={!chosen} onClick={flatten}>Flat</button>
        <Toggle label="Fewer keys" value={fewer} onChange={setFewer} hint="Shows the curves with as few keys as half a degree, or 2 mm, allows" />
      </div>
      {!joint && <p class="dock-empty quiet-text">Choose a joint to see its curves: click one in Keys, in the Skin list, or on the stage while posing.</p>}
      {joint && channels.every((c) => c.times.length === 0) && <p class="dock-empty quiet-text">{joint} has no such keys in this clip.</p>}
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={`Curves of ${joint ?? 'no joint'}. Drag keys and tangents; Alt breaks a tangent.`}
        onPointerDown={down} onPointerMove={move} onPointerUp={up} />
    </div>
  );
}
