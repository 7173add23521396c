// Clips on top of the chosen one: seen at once, and kept when they are applied.
import { changeEdit, work } from '../state/app.ts';
import { mix, type MixLayer } from '../state/mix.ts';
import { useStore } from '../state/store.ts';
import { made, say, view } from '../state/view.ts';
import { stageNow } from '../stage/stage_now.ts';
import { Button, IconButton, Section, Select, Slider, Toggle } from '../ui/controls.tsx';
import { icons } from '../ui/icons.tsx';

export function Mix() {
  const layers = useStore(mix, (m) => m);
  const clip = useStore(view, (v) => v.clip);
  const clips = useStore(made, (m) => m?.state.info.clips ?? []);
  const others = clips.filter((_, i) => i !== clip).map((c) => c.name);
  const set = (next: MixLayer[]) => {
    mix.set(next);
    stageNow()?.askFrame(true);
  };
  const change = (index: number, part: Partial<MixLayer>) => set(layers.map((l, i) => (i === index ? { ...l, ...part } : l)));
  const apply = async () => {
    for (const layer of layers) {
      const motion = work().motions.find((m) => m.name === layer.clip || m.name.startsWith(`${layer.clip}.`))?.name ?? layer.clip;
      const part = { motion, weight: layer.weight };
      const only = layer.only ? { only: layer.only } : {};
      const done = await changeEdit('edit_clips', `Mix in ${layer.clip}`, { clip: String(clip), ...(layer.additive ? { add: [part] } : { blend: [part] }), ...only });
      if (!done) return;
    }
    set([]);
    say('The mix is part of the clip now.', 'good');
  };
  if (clips.length < 2) return <Section title="Mix" open={false}><p class="quiet-text">Add a second motion to blend or layer it with this one.</p></Section>;
  return (
    <Section title="Mix" open={layers.length > 0} note={layers.length > 0 ? `${layers.length} on top` : undefined}>
      {layers.map((layer, i) => (
        <div class="mix-layer" key={i}>
          <div class="row">
            <strong class="name">{layer.clip}</strong>
            <IconButton icon={icons.trash()} label={`Take ${layer.clip} out of the mix`} onClick={() => set(layers.filter((_, k) => k !== i))} />
          </div>
          <Slider label="Weight" value={layer.weight} min={0} max={1} step={0.05} onInput={(weight) => change(i, { weight })} />
          <Select label="Where" value={layer.only} choices={[['', 'Whole body'], ['upper', 'Upper body'], ['lower', 'Lower body']]} onChange={(only) => change(i, { only: only as '' })} />
          <Toggle label="Add on top instead of blending" value={layer.additive} onChange={(additive) => change(i, { additive })} />
        </div>
      ))}
      <div class="chips" role="group" aria-label="Clips to mix in">
        {others.map((name) => (
          <button key={name} type="button" class="chip" onClick={() => set([...layers, { clip: name, weight: 0.5, additive: false, only: '' }])}>{icons.plus()}{name}</button>
        ))}
      </div>
      {layers.length > 0 && <Button kind="main" onClick={() => void apply()}>Apply to the clip</Button>}
    </Section>
  );
}
