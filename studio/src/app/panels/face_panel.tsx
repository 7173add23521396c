// Face: the character's morph targets as sliders; a point of the face can be dragged on the stage.
import { useEffect, useState } from 'preact/hooks';
import { theCore } from '../state/app.ts';
import { face, faceWeights, keyFace, setFace } from '../state/face.ts';
import { useStore } from '../state/store.ts';
import { made, whilePending } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { stageNow } from '../stage/stage_now.ts';
import { Button, Section, Slider } from '../ui/controls.tsx';

interface Shapes {
  instance: number;
  mesh: string;
  first: number;
  names: string[];
}

export function FacePanel() {
  const document = useStore(made, (m) => m?.document ?? null);
  const weights = useStore(face, (f) => f);
  const [shapes, setShapes] = useState<Shapes[]>([]);
  useEffect(() => {
    if (document !== null) void whilePending(() => theCore().call('morphs', { id: document })).then((r) => setShapes(r.instances.filter((i) => i.names.length > 0)));
  }, [document]);
  const stage = stageNow();
  const set = (index: number, value: number) => {
    if (!stage) return;
    clock.set({ playing: false });
    const next = faceWeights(stage).slice();
    next[index] = value;
    setFace(stage, next);
  };
  const shown = weights ?? (stage ? faceWeights(stage) : new Float32Array(0));
  return (
    <>
      <h2>Face</h2>
      {shapes.length === 0 && <p class="panel-text quiet-text">This character has no morph targets. VRM avatars and many GLB files have them: open one, and its expressions appear here.</p>}
      {shapes.length > 0 && (
        <div class="panel-text">
          <p class="quiet-text">Move a slider, or drag a point of the face on the stage.</p>
          <div class="row">
            <Button disabled={!weights} onClick={() => stage && void whilePending(() => keyFace(stage))}>Set a key</Button>
            <Button kind="quiet" disabled={!weights} onClick={() => stage && setFace(stage, null)}>As in the clip</Button>
          </div>
        </div>
      )}
      {shapes.map((s) => (
        <Section key={s.instance} title={s.mesh || `Mesh ${s.instance + 1}`} note={`${s.names.length}`}>
          {s.names.map((name, i) => (
            <Slider key={i} label={name || `shape ${i + 1}`} value={shown[s.first + i] ?? 0} min={0} max={1} step={0.01} onInput={(v) => set(s.first + i, v)} />
          ))}
        </Section>
      ))}
    </>
  );
}
