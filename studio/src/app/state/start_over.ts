// Everything as a page opens for the first time: the sample walks, seen from where it was seen then. Undo brings the work back.
import { stageNow } from '../stage/stage_now.ts';
import { clock } from '../time/clock.ts';
import { change, work } from './app.ts';
import { setFace } from './face.ts';
import { mix } from './mix.ts';
import { firstChoices } from './samples.ts';
import { firstView, setView } from './view.ts';

export async function startOver(): Promise<void> {
  const stage = stageNow();
  mix.set([]);
  setView(firstView());
  clock.set({ time: 0, playing: true, speed: 1, loop: true, from: 0, to: clock.get().duration });
  if (stage) {
    stage.setHandPose(null);
    setFace(stage, null);
    stage.scene.look('three-quarter');
  }
  const first = firstChoices();
  if (JSON.stringify(work()) !== JSON.stringify(first)) await change('Start over', first);
}
