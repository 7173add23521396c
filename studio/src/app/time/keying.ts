// Keys of a pose: what was posed by hand becomes keys of the clip, at the moment that is shown.
import { changeEdit } from '../state/app.ts';
import { made, say, setView, view } from '../state/view.ts';
import { stageNow } from '../stage/stage_now.ts';
import { clock } from './clock.ts';

const smallest = 1e-5; // metres or parts of a turn that count as moved

// The joints whose local transforms differ: 10 numbers each.
export function movedJoints(before: Float32Array, after: Float32Array): number[] {
  const moved: number[] = [];
  for (let j = 0; j * 10 < after.length; j++)
    for (let k = j * 10; k < j * 10 + 10; k++)
      if (Math.abs(after[k]! - before[k]!) > smallest) {
        moved.push(j);
        break;
      }
  return moved;
}

// Writes the pose by hand as keys of all joints that it moved; without one, a key of what is shown: the chosen joint's, or all.
export async function keyNow(from: Float32Array | null = null): Promise<void> {
  const stage = stageNow();
  const before = from ?? (stage?.handPose ? stage.poseBefore : null);
  const current = made.get();
  if (!stage?.frame || !current) return;
  const clips = current.state.info.clips;
  const names = current.state.info.joints.map((j) => j.name);
  if (clips.length === 0) return say('There is no clip to put keys into. Choose a motion first.', 'bad');
  const pose = (stage.handPose ?? stage.frame.pose).slice();
  const chosen = view.get().joint;
  const joints = before ? movedJoints(before, pose).map((j) => names[j]!) : chosen ? [chosen] : [...stage.shownJoints].map((j) => names[j]!);
  if (joints.length === 0) return;
  const label = before ? 'Pose' : chosen ? `Key ${chosen}` : 'Key the pose';
  const time = Number(clock.get().time.toFixed(4));
  const done = await changeEdit('set_keys', label, { clip: String(view.get().clip), time, pose, joints });
  if (done) setView({});
}
