// Posing: handles that the whole body reaches for, or rings that turn one joint. The core solves, live.
// Data flow: pointer → core solver → pose by hand → stage; on release keys of the clip (auto-key).
import { useEffect, useRef } from 'preact/hooks';
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { sentence } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, say, setView, view, whilePending } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { keyNow } from '../time/keying.ts';
import { HandleLayer, type Handle } from './handle_layer.tsx';
import type { Stage } from './stage.ts';

const bodyRoles = ['leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'head', 'hips'];
const mostEnds = 16; // handles of a body without roles

// What one would grab: hands, feet, head and hips of a person; the ends and the root of anything else.
export function reachJoints(joints: { name: string; parent: number; role: string | null }[], shown: Set<number>): number[] {
  const byRole = bodyRoles.map((role) => joints.findIndex((j) => j.role === role)).filter((j) => j >= 0);
  if (byRole.length >= 4) return byRole;
  const parents = new Set(joints.filter((_, j) => shown.has(j)).map((j) => j.parent));
  const ends = [...shown].filter((j) => !parents.has(j));
  const root = [...shown][0];
  return [...(root === undefined ? [] : [root]), ...ends].slice(0, mostEnds);
}

// One drag: answers come in order, only the newest place is asked for.
class Reach {
  private solver: Promise<number>;
  private next: THREE.Vector3 | null = null;
  private busy = false;
  readonly before: Float32Array;
  constructor(private readonly stage: Stage, private readonly joint: string) {
    this.before = (stage.handPose ?? stage.frame!.pose).slice();
    this.solver = stage.core.call('solver_begin', { id: stage.document!, pose: this.before, anatomical: view.get().limits }).then((r) => r.solver);
  }
  async to(place: THREE.Vector3): Promise<void> {
    this.next = place;
    if (this.busy) return;
    this.busy = true;
    try {
      const solver = await this.solver;
      while (this.next) {
        const position = this.next.toArray() as [number, number, number];
        this.next = null;
        const { pose } = await this.stage.core.call('solver_drag', { solver, goals: [{ joint: this.joint, position }] });
        this.stage.setHandPose(pose);
      }
    } catch (error) {
      say(sentence(error), 'bad');
    } finally {
      this.busy = false;
    }
  }
  async end(): Promise<void> {
    const pause = 8; // milliseconds between looks at whether the last answer is there
    while (this.busy) await new Promise((resolve) => setTimeout(resolve, pause));
    await this.stage.core.call('solver_end', { solver: await this.solver });
  }
}

export function PoseHandles({ stage }: { stage: Stage }) {
  const { poseTool, joint, autoKey } = useStore(view, (v) => v);
  const joints = useStore(made, (m) => m?.state.info.joints ?? null);
  const reach = useRef<Reach | null>(null);
  useTurnRings(stage, poseTool === 'turn' ? joint : null);
  if (poseTool === 'none' || !joints) return null;
  const shown = poseTool === 'reach' ? reachJoints(joints, stage.shownJoints) : [...stage.shownJoints];
  const handles: Handle[] = shown.map((j) => {
    const name = joints[j]!.name;
    return { id: name, label: name, at: () => stage.position(j), selected: name === joint, small: poseTool === 'turn' };
  });
  const reaching = poseTool === 'reach' ? {
    onStart: (id: string) => {
      clock.set({ playing: false });
      reach.current = new Reach(stage, id);
    },
    onMove: (_: string, to: THREE.Vector3) => void reach.current?.to(to),
    onEnd: () => void whilePending(finish),
  } : {};
  const finish = async () => {
    const drag = reach.current;
    reach.current = null;
    await drag?.end();
    if (drag && autoKey) await keyNow(drag.before);
  };
  return <HandleLayer stage={stage} label={poseTool === 'reach' ? 'Body' : 'Joints to turn'} handles={handles} onSelect={(id) => setView({ joint: id })} {...reaching} />;
}

// Three rings on the chosen joint.
function useTurnRings(stage: Stage, joint: string | null): void {
  useEffect(() => {
    if (!joint) return;
    clock.set({ playing: false });
    const index = stage.jointIndex(joint);
    if (index < 0 || !stage.frame) return;
    const rings = new TransformControls(stage.scene.camera, stage.scene.canvas);
    const grip = new THREE.Object3D();
    const place = () => {
      const world = new THREE.Matrix4().fromArray(stage.frame!.world, index * 16);
      world.decompose(grip.position, grip.quaternion, grip.scale);
      grip.scale.setScalar(1);
    };
    place();
    stage.scene.scene.add(grip, rings.getHelper());
    rings.setMode('rotate');
    rings.setSpace('local');
    rings.setSize(0.7);
    rings.attach(grip);
    let before: Float32Array | null = null;
    rings.addEventListener('change', () => stage.scene.invalidate());
    rings.addEventListener('dragging-changed', (event) => {
      stage.scene.controls.enabled = !event.value;
      if (event.value) before = (stage.handPose ?? stage.frame!.pose).slice();
      else if (view.get().autoKey && before) void keyNow(before);
    });
    rings.addEventListener('objectChange', () => stage.setHandPose(turned(stage, index, grip.quaternion)));
    const unwatch = stage.onShown(() => !rings.dragging && place());
    return () => {
      unwatch();
      rings.detach();
      rings.getHelper().removeFromParent();
      grip.removeFromParent();
      rings.dispose();
      stage.scene.controls.enabled = true;
      stage.scene.invalidate();
    };
  }, [stage, joint]);
}

// The pose with one joint turned to a rotation in world space.
function turned(stage: Stage, joint: number, world: THREE.Quaternion): Float32Array {
  const pose = (stage.handPose ?? stage.frame!.pose).slice();
  const parent = stage.joints()[joint]!.parent;
  const above = new THREE.Quaternion();
  if (parent >= 0) new THREE.Matrix4().fromArray(stage.frame!.world, parent * 16).decompose(new THREE.Vector3(), above, new THREE.Vector3());
  above.invert().multiply(world).normalize().toArray(pose, joint * 10 + 3);
  return pose;
}
