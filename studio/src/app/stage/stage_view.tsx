// The stage in the page: canvas, tools on it, messages, progress, the place to drop files.
import { useEffect, useRef, useState } from 'preact/hooks';
import { openSample, pickFiles } from '../state/open.ts';
import { theCore } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { dismiss, hideHint, job, made, messages, setView, view, type View } from '../state/view.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { dropping } from '../ui/drop.ts';
import { icons } from '../ui/icons.tsx';
import { PaintTool } from './paint_tool.tsx';
import { PoseHandles } from './pose_handles.tsx';
import { RigHandles } from './rig_handles.tsx';
import { FacePoint } from './face_point.tsx';
import { Stage } from './stage.ts';
import { setStage } from './stage_now.ts';
import { useExtras } from './extras.ts';

export function StageView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStageState] = useState<Stage | null>(null);
  useEffect(() => {
    const created = new Stage(canvas.current!, theCore());
    setStage(created);
    setStageState(created);
    const ready = made.get();
    if (ready) created.take(ready);
  }, []);
  return (
    <>
      <canvas ref={canvas} tabIndex={0} role="img" aria-label="The character. Drag to look around; Shift with the arrow keys walks around it." />
      {stage && <StageParts stage={stage} />}
      <Facts />
      <Tools />
      <Below />
      <Drop />
    </>
  );
}

function StageParts({ stage }: { stage: Stage }) {
  useExtras(stage);
  return (
    <>
      <RigHandles stage={stage} />
      <PoseHandles stage={stage} />
      <PaintTool stage={stage} />
      <FacePoint stage={stage} />
    </>
  );
}

function Facts() {
  const current = useStore(made, (m) => m);
  const clip = useStore(view, (v) => v.clip);
  if (!current) return null;
  const { info, kind } = current.state;
  const triangles = info.meshes.reduce((sum, m) => sum + m.triangles, 0);
  return (
    <div class="stage-facts">
      <strong>{info.clips[clip]?.name ?? 'At rest'}</strong>
      {kind && `${kind} · `}{info.joints.length} joints · {triangles.toLocaleString('en')} triangles
    </div>
  );
}

const tools: { name: 'bones' | 'wire' | 'ground'; label: string; keys: string }[] = [
  { name: 'bones', label: 'Bones', keys: 'B' },
  { name: 'wire', label: 'Wire', keys: 'W' },
  { name: 'ground', label: 'Ground', keys: 'G' },
];
function Tools() {
  const shown = useStore(view, (v) => v);
  return (
    <div class="stage-tools wide-only" role="toolbar" aria-label="Show">
      {tools.map((t) => (
        <IconButton key={t.name} icon={icons[t.name]()} label={t.label} keys={t.keys} pressed={shown[t.name]}
          onClick={() => setView({ [t.name]: !shown[t.name] } as Partial<View>)} />
      ))}
    </div>
  );
}

function Below() {
  const all = useStore(messages, (m) => m);
  const running = useStore(job, (j) => j);
  const hint = useStore(view, (v) => v.hint);
  return (
    <>
      {hint && all.length === 0 && !running && <Hint />}
      <div class="stage-messages" aria-live="polite">
        {all.map((m) => (
          <div key={m.id} class={`message ${m.kind}`} role={m.kind === 'bad' ? 'alert' : 'status'}>
            <p>{m.text}</p>
            <IconButton icon={icons.close()} label="Close this message" onClick={() => dismiss(m.id)} />
          </div>
        ))}
        {running && (
          <div class="job" role="status">
            <div class="row"><span>{running.title}{running.stage && <span class="quiet-text"> · {running.stage}</span>}</span><Button kind="quiet" onClick={running.cancel}>Cancel</Button></div>
            <progress max={1} value={running.fraction} aria-label={running.title} />
          </div>
        )}
      </div>
    </>
  );
}

function Hint() {
  return (
    <section class="hint wide-only" aria-label="First steps">
      <h2>Bring a character to life</h2>
      <IconButton icon={icons.close()} label="Close the first steps" onClick={hideHint} />
      <ol>
        <li>Drop a mesh anywhere on this page: GLB, VRM, OBJ or FBX.</li>
        <li>It is rigged and walks. Choose other motions on the right, or drop a BVH.</li>
        <li>Correct what you like in Rig, Skin and Move, then Save.</li>
      </ol>
      <div class="row">
        <Button kind="main" onClick={() => { hideHint(); pickFiles(); }}>Open a file</Button>
        <Button kind="quiet" onClick={() => { hideHint(); void openSample('quadruped'); }}>Try the animal</Button>
      </div>
    </section>
  );
}

function Drop() {
  const over = useStore(dropping, (d) => d);
  if (!over) return null;
  return <div class="drop">Drop it here<small>A character, motions, or both at once. Nothing leaves your machine.</small></div>;
}
