// Show: what is drawn, from where, and what can be saved of it.
import { useStore } from '../state/store.ts';
import { setView, view, type View } from '../state/view.ts';
import { saveAnimation } from '../save/animation.ts';
import { savePicture, saveVideo } from '../save/pictures.ts';
import { stageNow } from '../stage/stage_now.ts';
import type { CameraPreset } from '../stage/scene.ts';
import { Button, Section, Toggle } from '../ui/controls.tsx';
import { Check } from './check.tsx';

type Switch = 'bones' | 'wire' | 'ground' | 'shadow' | 'trails' | 'onion' | 'contacts' | 'limits';
const switches: [Switch, string][] = [
  ['bones', 'Bones'], ['wire', 'Wire'], ['ground', 'Ground'], ['shadow', 'Shadow'],
  ['trails', 'Motion trails'], ['onion', 'Onion skins: before and after'], ['contacts', 'Where feet stand'], ['limits', 'Limits of the chosen joint'],
];
const cameras: [CameraPreset, string][] = [['front', 'Front'], ['side', 'Side'], ['back', 'Back'], ['three-quarter', 'Three-quarter'], ['top', 'Top']];

export function ShowPanel() {
  const shown = useStore(view, (v) => v);
  return (
    <>
      <h2>Show</h2>
      <Section title="On the stage">
        {switches.map(([name, label]) => (
          <Toggle key={name} label={label} value={shown[name]} onChange={(on) => setView({ [name]: on } as Partial<View>)} />
        ))}
      </Section>
      <Section title="Camera">
        <div class="row">
          {cameras.map(([name, label]) => <Button key={name} onClick={() => stageNow()?.scene.look(name)}>{label}</Button>)}
        </div>
        <Toggle label="Turntable" value={shown.turntable} onChange={(turntable) => setView({ turntable })} />
      </Section>
      <Check />
      <Section title="Pictures">
        <div class="row">
          <Button onClick={() => void savePicture()}>Save PNG</Button>
          <Button onClick={() => void saveVideo()}>Save WebM</Button>
          <Button onClick={() => void saveAnimation()}>Save WebP</Button>
        </div>
      </Section>
    </>
  );
}
