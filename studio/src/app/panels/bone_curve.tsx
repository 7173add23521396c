// The weight of a joint along its bone, as a spline through knots that can be dragged.
import { useEffect, useRef, useState } from 'preact/hooks';
import { changeEdit, theCore } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, view, whilePending } from '../state/view.ts';
import { usePaper, type Paper } from '../time/canvas.ts';
import { toPixel, toValue, type Scale } from '../time/scale.ts';
import { Section } from '../ui/controls.tsx';

const knotCount = 6;
const samples = 31; // a knot at every sixth

interface Curve {
  at: number[];
  weight: number[];
}

export function BoneCurve({ joint }: { joint: string }) {
  return <Section title="Weights along the bone" open={false}><Knots joint={joint} /></Section>;
}

function Knots({ joint }: { joint: string }) {
  const document = useStore(made, (m) => m?.document ?? null);
  useStore(view, (v) => v.theme);
  const [measured, setMeasured] = useState<Curve>({ at: [], weight: [] });
  const [knots, setKnots] = useState<Curve>({ at: [], weight: [] });
  const latest = useRef(knots);
  latest.current = knots;
  const grabbed = useRef(-1);
  const [problem, setProblem] = useState('');
  const [drawn, setDrawn] = useState<Curve>({ at: [], weight: [] });
  // The spline through the knots is the core's, also while one is dragged.
  useEffect(() => {
    if (knots.at.length < 2) return;
    let current = true;
    theCore().call('spline', { at: knots.at, values: knots.weight, samples }).then(({ values }) => {
      const [first, last] = [knots.at[0]!, knots.at.at(-1)!];
      if (current) setDrawn({ at: [...values].map((_, i) => first + ((last - first) * i) / (samples - 1)), weight: [...values] });
    }, () => undefined);
    return () => void (current = false);
  }, [knots]);

  useEffect(() => {
    if (document === null) return;
    let current = true;
    whilePending(() => theCore().call('bone_curve', { id: document, joint, samples })).then(({ at, weight }) => {
      if (!current) return;
      setProblem('');
      setMeasured({ at: [...at], weight: [...weight] });
      const every = (at.length - 1) / (knotCount - 1);
      const chosen = Array.from({ length: knotCount }, (_, k) => Math.round(k * every));
      setKnots({ at: chosen.map((i) => at[i]!), weight: chosen.map((i) => weight[i]!) });
    }).catch((error) => current && (setProblem(error.text ?? String(error)), setMeasured({ at: [], weight: [] })));
    return () => void (current = false);
  }, [document, joint]);

  const scales = (width: number, height: number): [Scale, Scale] => [
    { from: 0, to: 1, left: 10, width: width - 20 },
    { from: 0, to: 1, left: height - 10, width: -(height - 20) },
  ];
  const draw = ({ c, width, height, colour }: Paper) => {
    const [x, y] = scales(width, height);
    c.strokeStyle = colour('line');
    c.strokeRect(10.5, 10.5, width - 21, height - 21);
    const line = (curve: Curve) => {
      c.beginPath();
      curve.at.forEach((t, i) => c.lineTo(toPixel(x, t), toPixel(y, curve.weight[i]!)));
      c.stroke();
    };
    c.strokeStyle = colour('muted');
    c.lineWidth = 1.5;
    line(measured);
    c.strokeStyle = c.fillStyle = colour('accent');
    c.setLineDash([4, 3]);
    line(drawn);
    c.setLineDash([]);
    knots.at.forEach((t, i) => {
      c.beginPath();
      c.arc(toPixel(x, t), toPixel(y, knots.weight[i]!), 5, 0, 7);
      c.fill();
    });
  };
  const { canvas } = usePaper(draw);
  const place = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, ...scales(box.width, box.height)] as const;
  };
  const down = (event: PointerEvent) => {
    const [px, py, x, y] = place(event);
    grabbed.current = knots.at.findIndex((t, i) => Math.hypot(toPixel(x, t) - px, toPixel(y, knots.weight[i]!) - py) < 12);
    if (grabbed.current >= 0) canvas.current!.setPointerCapture(event.pointerId);
  };
  // A key on a slider tells of the change and of its end in one breath: before the page is drawn again.
  const setKnot = (index: number, to: number) => {
    latest.current = { ...latest.current, weight: latest.current.weight.with(index, to) };
    setKnots(latest.current);
  };
  const move = (event: PointerEvent) => {
    if (grabbed.current < 0) return;
    const [, py, , y] = place(event);
    setKnot(grabbed.current, Math.min(Math.max(toValue(y, py), 0), 1));
  };
  const commit = () => void changeEdit('set_bone_curve', `Weights along ${joint}`, { joint, at: latest.current.at, weight: latest.current.weight });
  const up = () => {
    if (grabbed.current >= 0) commit();
    grabbed.current = -1;
  };
  return (
    <>
      {problem ? <p class="quiet-text">{problem}</p> : (
        <>
          <canvas class="bone-curve" ref={canvas} role="img" aria-label={`Weight of ${joint} along its bone. Drag the knots, or use the sliders below.`}
            onPointerDown={down} onPointerMove={move} onPointerUp={up} />
          <div class="knots">
            {knots.at.map((t, i) => (
              <input key={i} type="range" min={0} max={1} step={0.05} value={knots.weight[i]} aria-label={`Weight at ${Math.round(t * 100)} % of the bone`}
                style={{ '--share': `${(knots.weight[i] ?? 0) * 100}%` } as Record<string, string>}
                onInput={(e) => setKnot(i, Number(e.currentTarget.value))} onChange={commit} />
            ))}
          </div>
          <p class="quiet-text">From the joint (left) to its child (right), against the joint above it.</p>
        </>
      )}
    </>
  );
}
