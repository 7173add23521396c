// Move: motions on the character, posing, and clips mixed and changed.
import { change, history, selectClip, work } from '../state/app.ts';
import { pickFiles } from '../state/open.ts';
import { useStore } from '../state/store.ts';
import { made, setView, view, type PoseTool } from '../state/view.ts';
import { motionNamed, withMotion, type MotionChoice } from '../state/work.ts';
import { clock } from '../time/clock.ts';
import { Button, IconButton, Section, Segments, Select, Toggle } from '../ui/controls.tsx';
import { icons } from '../ui/icons.tsx';
import { ClipEdits } from './clip_edits.tsx';
import { Mapping } from './mapping.tsx';
import { Mix } from './mix.tsx';

function Motions() {
  const motions = useStore(history, (h) => h.present.motions);
  const current = useStore(made, (m) => m);
  const clip = useStore(view, (v) => v.clip);
  const builtin = current?.state.motions ?? [];
  const clips = current?.state.info.clips ?? [];
  const have = new Set(motions.map((m) => m.name));
  const add = (name: string) => {
    selectClip(0);
    void change(`Add ${name}`, { ...work(), motions: [motionNamed(name), ...work().motions] });
  };
  const remove = (name: string) => void change(`Remove ${name}`, { ...work(), motions: work().motions.filter((m) => m.name !== name) });
  return (
    <Section title="Motions" note={current?.state.kind}>
      <ul class="clip-list" aria-label="Clips">
        {clips.map((c, i) => {
          const motion = motions[i];
          return (
            <li key={`${i} ${c.name}`} class={i === clip ? 'chosen' : ''}>
              <button type="button" class="clip" aria-pressed={i === clip} onClick={() => selectClip(i)}>
                <span class="name">{c.name || `clip ${i + 1}`}</span><span class="quiet-text">{c.duration.toFixed(1)} s</span>
              </button>
              {motion && <IconButton icon={icons.trash()} label={`Remove ${motion.name}`} onClick={() => remove(motion.name)} />}
            </li>
          );
        })}
      </ul>
      {clips.length === 0 && <p class="quiet-text">No motion yet. Add one below, or drop a BVH on the page.</p>}
      <div class="chips" role="group" aria-label="Built-in motions">
        {builtin.filter((name) => !have.has(name)).map((name) => (
          <button key={name} type="button" class="chip" onClick={() => add(name)}>{icons.plus()}{name}</button>
        ))}
      </div>
      <Button onClick={pickFiles}>Open a motion file</Button>
    </Section>
  );
}

function Choices() {
  const clip = useStore(view, (v) => v.clip);
  const contacts = useStore(view, (v) => v.contacts);
  const motion = useStore(history, (h) => h.present.motions[clip] ?? null);
  if (!motion) return null;
  const set = (label: string, part: Partial<MotionChoice>) => void change(label, withMotion(work(), clip, part));
  return (
    <Section title={`How ${motion.name} is put on`} open={false}>
      <Select label="Feet" value={motion.feet} choices={[['lock', 'Stand still'], ['free', 'Free']]} onChange={(feet) => set('Feet', { feet: feet as 'lock' })} />
      <Toggle label="Mirror left and right" value={motion.mirror} onChange={(mirror) => set('Mirror the motion', { mirror })} />
      <Toggle label="Stay in place" value={motion.inPlace} onChange={(inPlace) => set('Stay in place', { inPlace })} />
      <Toggle label="Simulate cloth" hint="Skirts, capes and the like hang and swing: parts found by their names, or open pieces that hang"
        value={motion.cloth ?? false} onChange={(cloth) => set('Simulate cloth', { cloth })} />
      <Toggle label="Show where feet stand" value={contacts} onChange={(c) => setView({ contacts: c })} />
    </Section>
  );
}

function Posing() {
  const { poseTool, autoKey, limits } = useStore(view, (v) => v);
  const choose = (tool: PoseTool) => {
    if (tool !== 'none') clock.set({ playing: false }); // handles that move cannot be taken
    setView({ poseTool: tool, painting: false });
  };
  return (
    <Section title="Pose">
      <Segments label="Tool" value={poseTool} choices={[['none', 'Off'], ['reach', 'Reach (IK)'], ['turn', 'Turn (FK)']]}
        onChange={(tool) => choose(tool as PoseTool)} />
      <p class="quiet-text">
        {poseTool === 'reach' ? 'Drag a hand, a foot, the head or the hips: the whole body follows.'
          : poseTool === 'turn' ? 'Click a joint, then drag one of its rings.' : 'Stops the clip at this moment and lets you pose the character.'}
      </p>
      <Toggle label="Auto-key: keep each pose as keys" value={autoKey} onChange={(a) => setView({ autoKey: a })} />
      <Toggle label="Keep and show the limits of joints" value={limits} onChange={(l) => setView({ limits: l })} />
    </Section>
  );
}

export function MovePanel() {
  const there = useStore(made, (m) => m !== null);
  if (!there) return <><h2>Move</h2><p class="panel-text quiet-text">The character is being made.</p></>;
  return (
    <>
      <h2>Move</h2>
      <Motions />
      <Choices />
      <Mapping />
      <Posing />
      <Mix />
      <ClipEdits />
    </>
  );
}
