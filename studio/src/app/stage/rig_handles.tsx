// Joints of the fit as handles: drag one, the mirrored one goes along, the rest is fitted again.
import { useRef } from 'preact/hooks';
import * as THREE from 'three';
import { change, work } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { setView, view } from '../state/view.ts';
import { otherSide, withRig, type Vec3 } from '../state/work.ts';
import { confidenceColour } from './bones.ts';
import { HandleLayer, type Handle } from './handle_layer.tsx';
import { fit, type Fit } from './rest_body.ts';
import type { Stage } from './stage.ts';

// Six digits: finer than a hand is, and short enough for a command line that does the same to the last bit.
const digits = 6;
const short = (position: Vec3): Vec3 => position.map((v) => Number(v.toPrecision(digits))) as Vec3;

// The place on the other side of the body: mirrored at the plane through its middle joints.
export function mirrored(position: Vec3, found: Fit & { up?: Vec3; facing?: Vec3 }): Vec3 {
  const side = new THREE.Vector3(...(found.up ?? [0, 1, 0])).cross(new THREE.Vector3(...(found.facing ?? [0, 0, 1]))).normalize();
  const middle = new THREE.Vector3();
  const centre = found.joints.filter((j) => otherSide(j.name) === null);
  for (const joint of centre) middle.add(new THREE.Vector3(...joint.position).divideScalar(centre.length));
  const p = new THREE.Vector3(...position);
  const away = p.clone().sub(middle).dot(side);
  return p.addScaledVector(side, -2 * away).toArray() as Vec3;
}

export function RigHandles({ stage }: { stage: Stage }) {
  const found = useStore(fit, (f) => f);
  const { joint, mirror, room } = useStore(view, (v) => v);
  const dragged = useRef<Record<string, Vec3>>({});
  if (room !== 'rig' || !stage.rest.shown || !found) return null;

  const handles: Handle[] = found.joints.map((j) => ({
    id: j.name,
    label: j.name,
    at: () => stage.rest.toStage(dragged.current[j.name] ?? j.position),
    colour: `#${confidenceColour(j.confidence).getHexString()}`,
    hint: `${Math.round(j.confidence * 100)} % sure${j.reason ? `. ${j.reason}` : ''}`,
    selected: j.name === joint,
    small: /(thumb|index|middle|ring|little|pinky)/i.test(j.name),
  }));
  const moved = (name: string, to: THREE.Vector3): Record<string, Vec3> => {
    const at = stage.rest.toMesh(to);
    const twin = mirror ? otherSide(name) : null;
    const hasTwin = twin !== null && found.joints.some((j) => j.name === twin);
    return { [name]: short(at), ...(hasTwin ? { [twin]: short(mirrored(at, found)) } : {}) };
  };
  const hinted = () => withRig(work(), { joints: { ...work().rig.joints, ...dragged.current } });
  return (
    <HandleLayer stage={stage} label="Joints" handles={handles} onSelect={(id) => setView({ joint: id })}
      onMove={(id, to) => {
        dragged.current = moved(id, to);
        stage.rest.ask(hinted());
        stage.scene.invalidate();
      }}
      onEnd={(id) => {
        const next = hinted();
        void change(`Move ${id}`, next).then(() => (dragged.current = {}));
      }} />
  );
}
