// The verb edit on the chosen clip: timing, and the animator's principles.
import { useState } from 'preact/hooks';
import { changeEdit } from '../state/app.ts';
import { view } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { Button, Section, Slider } from '../ui/controls.tsx';

const principles = [
  ['exaggerate', 'Exaggerate'], ['anticipate', 'Anticipate'], ['follow', 'Follow through'], ['arcs', 'Arcs'],
  ['squash', 'Squash, stretch'], ['slow_in_out', 'Slow in and out'], ['secondary', 'Breathing'], ['hold', 'Moving hold'],
] as const;
type Principle = (typeof principles)[number][0];

export function ClipEdits() {
  const [strength, setStrength] = useState<Partial<Record<Principle, number>>>({});
  const edit = (label: string, args: Record<string, unknown>) => changeEdit('edit_clips', label, { clip: String(view.get().clip), ...args });
  const chosen = principles.filter(([name]) => (strength[name] ?? 0) > 0);
  const apply = async () => {
    const args = Object.fromEntries(chosen.map(([name]) => [name, strength[name]]));
    if (await edit(chosen.map(([, label]) => label).join(', '), args)) setStrength({});
  };
  return (
    <Section title="Change the clip" open={false}>
      <div class="row">
        <Button onClick={() => void edit('Loop', { loop: true })} title="The end fades into the beginning">Loop</Button>
        <Button onClick={() => void edit('Mirror', { mirror: true })}>Mirror</Button>
        <Button onClick={() => void edit('Reverse', { reverse: true })}>Reverse</Button>
        <Button onClick={() => void edit('Faster', { speed: 1.25 })}>Faster</Button>
        <Button onClick={() => void edit('Slower', { speed: 0.8 })}>Slower</Button>
        <Button onClick={() => void edit('Trim', { trim_from: clock.get().from, trim_to: clock.get().to })} title="Keeps the played part of the timeline">Trim</Button>
        <Button onClick={() => void edit('Fewer keys', { optimize_mm: 1 })} title="Fewer keys, nothing farther off than 1 mm">Fewer keys</Button>
      </div>
      {principles.map(([name, label]) => (
        <Slider key={name} label={label} value={strength[name] ?? 0} min={0} max={1} step={0.05} onInput={(v) => setStrength({ ...strength, [name]: v })} />
      ))}
      <Button disabled={chosen.length === 0} onClick={() => void apply()}>Apply</Button>
    </Section>
  );
}
