// Skin: how the surface follows the joints, the weights of each joint, and changing them.
import { change, changeEdit, history, work } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, setView, view, type BrushMode } from '../state/view.ts';
import { keepsFile, withBind } from '../state/work.ts';
import { Button, Section, Segments, Select, Slider, Toggle } from '../ui/controls.tsx';
import { BoneCurve } from './bone_curve.tsx';
import { JointTree } from './joint_tree.tsx';

const methods = [['lbs', 'Linear blend (LBS)'], ['dqs', 'Dual quaternions (DQS)'], ['bulge-free', 'Bulge-free'], ['bend-twist', 'Bend and twist'], ['cor', 'Centres of rotation'], ['rigid', 'Rigid']] as const;
const binders = [['auto', 'Chosen by itself'], ['heat', 'Bone heat'], ['voxel', 'Voxel heat'], ['bbw', 'Bounded biharmonic'], ['distance', 'Nearest bone'], ['rigid', 'Rigid']] as const;
const influenceChoices = [['', '4 (default)'], ['1', '1'], ['2', '2'], ['3', '3'], ['4', '4'], ['8', '8']] as const;
const brushes: [BrushMode, string][] = [['add', 'Add'], ['subtract', 'Subtract'], ['replace', 'Set'], ['smooth', 'Smooth']];
const pairs = (list: readonly (readonly [string, string])[]) => list.map((t) => [...t] as [string, string]);

function Binding() {
  const bind = useStore(history, (h) => h.present.bind);
  const current = useStore(made, (m) => m);
  const kept = current !== null && keepsFile(current.baseState, work());
  const report = current?.report?.weights;
  const bindAgain = (part: { weights?: string; influences?: number | null }) => {
    const next = withBind(work(), part);
    if (!kept) return void change('Bind', next);
    const { weights, influences } = next.bind;
    void change('Bind', { ...next, edits: [...next.edits, { id: `bind${Date.now()}`, op: 'bind', label: 'Bind', args: { weights, ...(influences ? { influences } : {}) } }] });
  };
  return (
    <Section title="Binding" open={false} note={report?.method}>
      <Select label="Method" value={bind.weights} choices={pairs(binders)} onChange={(weights) => bindAgain({ weights })} />
      <Select label="Influences" value={bind.influences === null ? '' : String(bind.influences)} choices={pairs(influenceChoices)}
        onChange={(v) => bindAgain({ influences: v === '' ? null : Number(v) })} />
      {kept && <p class="quiet-text">The file's own weights are kept until you choose a method.</p>}
      {report && (
        <dl class="facts">
          <div><dt>Joints per vertex</dt><dd>{report.max_influences}</dd></div>
          <div><dt>Vertices without weights</dt><dd>{report.unweighted_vertices}</dd></div>
          <div><dt>Largest error of a sum</dt><dd>{Number(report.largest_sum_error).toExponential(0)}</dd></div>
        </dl>
      )}
    </Section>
  );
}

function Painting() {
  const { painting, brush, mirror, locked, joint } = useStore(view, (v) => v);
  const set = (part: Partial<typeof brush>) => setView({ brush: { ...brush, ...part } });
  const isLocked = joint !== null && locked.includes(joint);
  return (
    <Section title="Paint">
      <Button kind={painting ? 'main' : 'plain'} pressed={painting} onClick={() => setView({ painting: !painting, heat: true, poseTool: 'none' })}>
        {painting ? 'Painting: click to stop' : 'Paint weights'}
      </Button>
      <Segments label="Brush" value={brush.mode} choices={brushes} onChange={(mode) => set({ mode: mode as BrushMode })} />
      <Slider label="Radius" value={brush.radius} min={0.005} max={0.3} step={0.005} unit=" m" onInput={(radius) => set({ radius })} />
      <Slider label="Strength" value={brush.strength} min={0.05} max={1} step={0.05} onInput={(strength) => set({ strength })} />
      <Toggle label="Mirror: paint both sides" value={mirror} onChange={(m) => setView({ mirror: m })} />
      <Toggle label={joint ? `Lock ${joint}` : 'Lock the chosen joint'} value={isLocked} disabled={!joint}
        hint="The brush leaves the weights of locked joints alone"
        onChange={(lock) => setView({ locked: lock ? [...locked, joint!] : locked.filter((j) => j !== joint) })} />
    </Section>
  );
}

function WholeSkin() {
  return (
    <Section title="Whole skin" open={false}>
      <div class="row">
        <Button onClick={() => void changeEdit('edit_weights', 'Smooth weights', { smooth: 2 })}>Smooth</Button>
        <Button onClick={() => void changeEdit('edit_weights', 'Mirror weights', { mirror: 'x' })} title="Copies the side of +X onto the other">Mirror</Button>
        <Button onClick={() => void changeEdit('edit_weights', 'Prune weights', { prune: 0.01 })} title="Drops weights below 1 % and normalises the rest">Prune</Button>
        <Button onClick={() => void changeEdit('edit_weights', 'Limit to 4 joints', { influences: 4 })}>Limit to 4</Button>
      </div>
    </Section>
  );
}

export function SkinPanel() {
  const skinning = useStore(history, (h) => h.present.skinning);
  const heat = useStore(view, (v) => v.heat);
  const joint = useStore(view, (v) => v.joint);
  const there = useStore(made, (m) => m !== null);
  if (!there) return <><h2>Skin</h2><p class="panel-text quiet-text">The character is being made.</p></>;
  return (
    <>
      <h2>Skin</h2>
      <Section title="Deformation">
        <Select label="Method" value={skinning} choices={pairs(methods)} onChange={(s) => void change('Deformation', { ...work(), skinning: s })} />
        <Toggle label="Show the weights of the chosen joint" value={heat} onChange={(h) => setView({ heat: h })} />
      </Section>
      <Section title="Joints" note={joint ?? undefined}><JointTree onChoose={(name) => setView({ joint: name, heat: true })} /></Section>
      <Painting />
      {joint && <BoneCurve joint={joint} />}
      <WholeSkin />
      <Binding />
    </>
  );
}
