// Rig: what kind of body it is, how it stands, which joints it gets, and how sure the fit is.
import { change, work } from '../state/app.ts';
import { history } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, setView, view } from '../state/view.ts';
import { keepsFile, withRig, type RigChoices } from '../state/work.ts';
import { fit } from '../stage/rest_body.ts';
import { Button, Section, Select, Slider, Toggle } from '../ui/controls.tsx';
import { Confidence } from './confidence.tsx';

const templates = [['auto', 'Found by itself'], ['biped', 'Two legs'], ['quadruped', 'Four legs'], ['bird', 'Bird'], ['dinosaur', 'Dinosaur'], ['dragon', 'Dragon'], ['generic', 'Any other']] as const;
const directions = [['', 'Found by itself'], ['y', '+Y'], ['-y', '−Y'], ['z', '+Z'], ['-z', '−Z'], ['x', '+X'], ['-x', '−X']] as const;
const nameSchemes = [['', 'VRM (default)'], ['mixamo', 'Mixamo'], ['unreal', 'Unreal'], ['humanik', 'HumanIK']] as const;
const fingerChoices = [['', 'As the mesh has'], ['0', 'None'], ['1', '1'], ['2', '2'], ['3', '3'], ['4', '4'], ['5', '5']] as const;

function set(label: string, part: Partial<RigChoices>, key: string | null = null): void {
  void change(label, withRig(work(), part), key);
}

export function RigPanel() {
  const rig = useStore(history, (h) => h.present.rig);
  const current = useStore(made, (m) => m);
  const mirror = useStore(view, (v) => v.mirror);
  const found = useStore(fit, (f) => f);
  if (!current) return <><h2>Rig</h2><p class="panel-text quiet-text">The character is being made.</p></>;
  if (keepsFile(current.baseState, work())) return <KeptSkeleton joints={current.baseState.info.joints.length} />;
  const placed = Object.keys(rig.joints);
  return (
    <>
      <h2>Rig</h2>
      <Section title="Body" note={found?.template}>
        <Select label="Kind" value={rig.template} choices={templates.map((t) => [...t] as [string, string])} onChange={(template) => set('Kind of body', { template, joints: {} })} />
        <Select label="Up" value={rig.up} choices={directions.map((t) => [...t] as [string, string])} onChange={(up) => set('Up', { up })} />
        <Select label="Facing" value={rig.facing} choices={directions.map((t) => [...t] as [string, string])} onChange={(facing) => set('Facing', { facing })} />
      </Section>
      <Section title="Joints" note={found ? `${found.joints.length}` : undefined}>
        <Select label="Names" value={rig.names} choices={nameSchemes.map((t) => [...t] as [string, string])} onChange={(names) => set('Names', { names, joints: {} })} />
        <Select label="Fingers" value={rig.fingers === null ? '' : String(rig.fingers)} choices={fingerChoices.map((t) => [...t] as [string, string])}
          onChange={(f) => set('Fingers', { fingers: f === '' ? null : Number(f) })} />
        <Slider label="Twist joints" value={rig.twist} min={0} max={4} step={1} onInput={(twist) => set('Twist joints', { twist }, 'twist')} />
        <Toggle label="Mirror: move both sides" value={mirror} onChange={(m) => setView({ mirror: m })} />
        <p class="quiet-text">Drag a joint on the stage. The others are fitted again around it, and the skin is bound anew.</p>
        {placed.length > 0 && (
          <div class="row">
            <span>{placed.length === 1 ? '1 joint placed by hand' : `${placed.length} joints placed by hand`}</span>
            <Button kind="quiet" onClick={() => set('Let go of joints', { joints: {} })}>Let go</Button>
          </div>
        )}
        {current.baseState.rigged && <Button onClick={() => set('Keep the skeleton of the file', { again: false, joints: {} })}>Back to the file's own skeleton</Button>}
      </Section>
      <Confidence />
    </>
  );
}

function KeptSkeleton({ joints }: { joints: number }) {
  return (
    <>
      <h2>Rig</h2>
      <div class="panel-text">
        <p>The file brings {joints} joints or moving parts of its own. They are kept as they are.</p>
        <p class="quiet-text">A new one can be fitted instead. Skin weights are then made anew too.</p>
        <Button onClick={() => set('Fit a new skeleton', { again: true })}>Fit a new skeleton</Button>
      </div>
    </>
  );
}
