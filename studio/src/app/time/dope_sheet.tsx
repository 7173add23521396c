// Keys by joint: a row each, marks that can be selected, moved and deleted.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Track } from '../../core/api.ts';
import { change, clipName, work } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, setView, view } from '../state/view.ts';
import { withEdit } from '../state/work.ts';
import { usePaper, type Paper } from './canvas.ts';
import { clock, frameRate } from './clock.ts';
import { timeFacts } from './facts.ts';
import { moveKeys, removeKeys } from './key_edits.ts';
import { toPixel, toValue, type Scale } from './scale.ts';
import { drawMoments, drawPlayhead, gutter } from './timeline.tsx';

const rowHeight = 18;
const names = 150; // pixels
const head = 16;

interface Row {
  joint: number;
  name: string;
  times: number[];
}

export function rowsOf(tracks: Track[], jointNames: string[]): Row[] {
  const rows = new Map<number, Set<number>>();
  for (const track of tracks) {
    if (track.path === 'morphs') continue;
    const times = rows.get(track.target) ?? new Set<number>();
    for (const time of track.times) times.add(time);
    rows.set(track.target, times);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([joint, times]) => ({ joint, name: jointNames[joint] ?? `joint ${joint}`, times: [...times].sort((a, b) => a - b) }));
}

interface Chosen {
  joint: number;
  from: number;
  to: number;
}

export function DopeSheet() {
  const facts = useStore(timeFacts, (f) => f);
  const joint = useStore(view, (v) => v.joint);
  useStore(view, (v) => v.theme);
  const joints = made.get()?.state.info.joints.map((j) => j.name) ?? [];
  const rows = rowsOf(facts.tracks, joints);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [shift, setShift] = useState(0); // seconds that the chosen keys are being dragged
  const drag = useRef<{ x: number } | null>(null);
  const scale = (width: number): Scale => ({ from: 0, to: clock.get().duration || 1, left: names, width: width - names - gutter });
  const isChosen = (row: Row, time: number) => chosen !== null && chosen.joint === row.joint && time >= chosen.from - 1e-4 && time <= chosen.to + 1e-4;

  const draw = (paper: Paper) => {
    const { c, width, colour } = paper;
    const s = scale(width);
    drawMoments(paper, s, 11);
    rows.forEach((row, i) => {
      const y = head + i * rowHeight;
      if (row.name === joint) {
        c.fillStyle = colour('accent-soft');
        c.fillRect(0, y, width, rowHeight);
      }
      c.fillStyle = colour('line');
      c.fillRect(0, y + rowHeight - 1, width, 1);
      c.fillStyle = colour(row.name === joint ? 'accent' : 'text');
      c.textAlign = 'left';
      c.fillText(row.name.slice(0, 24), 12, y + 13);
      for (const time of row.times) {
        const on = isChosen(row, time);
        const x = toPixel(s, time + (on ? shift : 0));
        c.fillStyle = colour(on ? 'accent' : 'muted');
        c.beginPath();
        for (const [dx, dy] of [[0, -4], [4, 0], [0, 4], [-4, 0]] as const) c.lineTo(x + dx, y + rowHeight / 2 + dy);
        c.fill();
      }
    });
    drawPlayhead(paper, s, 2);
  };
  const { canvas, redraw } = usePaper(draw);
  useEffect(() => clock.watch(redraw), []);

  const commit = (label: string, tracks: Track[]) =>
    void change(label, withEdit(work(), 'set_clip', label, { clip: String(view.get().clip), name: clipName(), tracks }));

  const down = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const row = rows[Math.floor((y - head) / rowHeight)];
    const s = scale(box.width);
    if (!row || y < head) return clock.seek(toValue(s, x));
    setView({ joint: row.name });
    if (x < names - 10) return;
    const near = row.times.find((time) => Math.abs(toPixel(s, time) - x) < 6);
    if (near === undefined) {
      setChosen(null);
      return clock.seek(toValue(s, x));
    }
    if (event.shiftKey && chosen?.joint === row.joint) return setChosen({ joint: row.joint, from: Math.min(chosen.from, near), to: Math.max(chosen.to, near) });
    if (!isChosen(row, near)) setChosen({ joint: row.joint, from: near, to: near });
    drag.current = { x: event.clientX };
    canvas.current!.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (!drag.current) return;
    const s = scale(canvas.current!.clientWidth);
    const seconds = ((event.clientX - drag.current.x) / s.width) * (s.to - s.from);
    setShift(Math.round(seconds * frameRate) / frameRate);
  };
  const up = () => {
    if (drag.current && shift !== 0 && chosen) {
      commit('Move keys', moveKeys(facts.tracks, chosen.joint, chosen.from, chosen.to, shift));
      setChosen({ ...chosen, from: chosen.from + shift, to: chosen.to + shift });
    }
    drag.current = null;
    setShift(0);
  };
  const press = (event: KeyboardEvent) => {
    if ((event.key !== 'Delete' && event.key !== 'Backspace') || !chosen) return;
    event.preventDefault();
    commit('Delete keys', removeKeys(facts.tracks, chosen.joint, chosen.from, chosen.to));
    setChosen(null);
  };
  if (rows.length === 0) return <p class="dock-empty quiet-text">This clip has no keys. Pose the character in Move, or choose a motion.</p>;
  return (
    <div class="sheet" tabIndex={0} role="application" aria-label="Keys by joint. Click a key and drag it, or press Delete." onKeyDown={press}>
      <canvas ref={canvas} style={{ height: `${head + rows.length * rowHeight + 4}px` }} aria-hidden="true" onPointerDown={down} onPointerMove={move} onPointerUp={up} />
    </div>
  );
}
