// What can be drawn around a moving character: trails of joints, onion skins, where feet stand, how far a joint turns.
import { useEffect } from 'preact/hooks';
import * as THREE from 'three';
import { useStore } from '../state/store.ts';
import { made, view, whilePending } from '../state/view.ts';
import { clock, frameRate } from '../time/clock.ts';
import { reachJoints } from './pose_handles.tsx';
import type { Stage } from './stage.ts';
import { timeFacts } from '../time/facts.ts';

const trailColours = [0xff8a5c, 0x5cb8ff, 0x8ee06c, 0xe4a3ff, 0xffd35c, 0x6fe0d2];

export function useExtras(stage: Stage): void {
  const { trails, onion, contacts, limits, joint, clip } = useStore(view, (v) => v);
  const document = useStore(made, (m) => m?.document ?? null);
  useEffect(() => (trails && document !== null ? showTrails(stage, clip) : undefined), [stage, trails, document, clip, joint]);
  useEffect(() => (onion && document !== null ? showOnion(stage, clip) : undefined), [stage, onion, document, clip]);
  useEffect(() => (contacts && document !== null ? showContacts(stage) : undefined), [stage, contacts, document, clip]);
  useEffect(() => (limits && document !== null ? showLimits(stage, joint) : undefined), [stage, limits, document, joint]);
}

// A group on the stage until the returned function is called.
function layer(stage: Stage): { group: THREE.Group; remove: () => void } {
  const group = new THREE.Group();
  stage.scene.scene.add(group);
  const remove = () => {
    group.traverse((o) => {
      if (o instanceof THREE.Mesh || o instanceof THREE.Line) o.geometry.dispose();
    });
    group.removeFromParent();
    stage.scene.invalidate();
  };
  return { group, remove };
}

function showTrails(stage: Stage, clip: number): () => void {
  const { group, remove } = layer(stage);
  const joints = stage.joints();
  const chosen = stage.jointIndex(view.get().joint);
  const which = chosen >= 0 ? [chosen] : reachJoints(joints, stage.shownJoints);
  const names = which.map((j) => joints[j]!.name);
  void whilePending(() => stage.core.call('trail', { id: stage.document!, clip: String(clip), joints: names, fps: frameRate })).then(({ times, points }) => {
    which.forEach((_, i) => {
      const path = points.slice(i * times.length * 3, (i + 1) * times.length * 3);
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(path, 3));
      const colour = trailColours[i % trailColours.length]!;
      group.add(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, depthTest: false })));
      group.add(new THREE.Points(geometry, new THREE.PointsMaterial({ color: colour, size: 4, sizeAttenuation: false, depthTest: false })));
    });
    stage.scene.invalidate();
  });
  return remove;
}

const onionSteps = [-3, -2, -1, 1, 2, 3];
const onionApart = 4 / frameRate; // seconds

// The body before and after this moment, as pale shapes. Made by the core when the clock stands or every few frames.
function showOnion(stage: Stage, clip: number): () => void {
  const { group, remove } = layer(stage);
  let asked = -1;
  let busy = false;
  const refresh = async () => {
    const { time, duration, playing } = clock.get();
    const slot = Math.round(time / onionApart);
    if (busy || (playing && slot === asked) || (!playing && time === asked)) return;
    busy = true;
    asked = playing ? slot : time;
    const shapes: THREE.Mesh[] = [];
    for (const step of onionSteps) {
      const at = time + step * onionApart;
      if (at < 0 || at > duration || stage.document === null) continue;
      const { parts } = await stage.core.call('deform', { id: stage.document, clip: String(clip), time: at });
      for (const shown of parts) {
        const rest = stage.body?.parts.find((p) => p.instance === shown.instance && p.primitive === shown.primitive)?.rest;
        if (!rest) continue;
        const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(shown.positions, 3));
        geometry.setIndex(new THREE.BufferAttribute(rest.triangles, 1));
        const opacity = 0.16 / Math.abs(step) + 0.03;
        const material = new THREE.MeshBasicMaterial({ color: step < 0 ? 0x5c9dff : 0xff8a5c, transparent: true, opacity, depthWrite: false });
        shapes.push(new THREE.Mesh(geometry, material));
      }
    }
    for (const old of [...group.children]) (old as THREE.Mesh).geometry.dispose();
    group.clear();
    if (shapes.length > 0) group.add(...shapes);
    stage.scene.invalidate();
    busy = false;
  };
  const follow = () => void (clock.get().playing ? refresh() : whilePending(refresh));
  follow();
  const unwatch = clock.watch(follow);
  return () => {
    unwatch();
    remove();
  };
}

// A disc under each foot or hand while it stands.
function showContacts(stage: Stage): () => void {
  const { group, remove } = layer(stage);
  const disc = new THREE.RingGeometry(0.75, 1, 32).rotateX(-Math.PI / 2);
  const size = (stage.body?.box.getSize(new THREE.Vector3()).length() ?? 1) * 0.035;
  const discs = new Map<string, THREE.Mesh>();
  const draw = () => {
    const time = clock.get().time;
    for (const contact of timeFacts.get().contacts) {
      const joint = stage.jointIndex(contact.joint);
      if (joint < 0) continue;
      let mark = discs.get(contact.joint);
      if (!mark) {
        mark = new THREE.Mesh(disc, new THREE.MeshBasicMaterial({ color: 0x45b97c, transparent: true, opacity: 0.9, depthTest: false }));
        mark.scale.setScalar(size);
        discs.set(contact.joint, mark);
        group.add(mark);
      }
      const stands = timeFacts.get().contacts.some((c) => c.joint === contact.joint && time >= c.from && time <= c.to);
      mark.visible = stands;
      mark.position.copy(stage.position(joint));
    }
  };
  const unwatch = stage.onShown(draw);
  draw();
  return () => {
    unwatch();
    remove();
  };
}

// How far the chosen joint can turn: a fan that its bone sweeps for a hinge, a cone around its bone for the others.
function showLimits(stage: Stage, joint: string | null): () => void {
  const { group, remove } = layer(stage);
  const index = stage.jointIndex(joint);
  const child = stage.joints().findIndex((j) => j.parent === index);
  let unwatch = () => {};
  let gone = false;
  const stop = () => {
    gone = true;
    unwatch();
    remove();
  };
  if (index < 0 || child < 0 || !stage.frame) return stop;
  const bone = new THREE.Vector3().fromArray(stage.frame.pose, child * 10); // in the joint's own axes
  void whilePending(() => stage.core.call('joint_limits', { id: stage.document! })).then(({ limits }) => {
    const limit = limits.find((l) => l.joint === joint);
    if (gone || !limit || limit.kind === 'none' || bone.lengthSq() === 0) return;
    const shape = limit.kind === 'hinge' ? fan(bone, new THREE.Vector3(...limit.axis), limit.min, limit.max) : cone(bone, limit.swing);
    const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ color: 0x5cb8ff, transparent: true, opacity: 0.3, side: THREE.DoubleSide, depthTest: false }));
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: 0x5cb8ff, depthTest: false }));
    mesh.add(edges);
    group.add(mesh);
    const parent = stage.joints()[index]!.parent;
    const [at, size, scale] = [new THREE.Matrix4(), new THREE.Vector3(), new THREE.Vector3()];
    const place = () => {
      if (!stage.frame) return;
      at.fromArray(stage.frame.world, index * 16).decompose(mesh.position, mesh.quaternion, size);
      if (parent >= 0) at.fromArray(stage.frame.world, parent * 16).decompose(new THREE.Vector3(), mesh.quaternion, scale);
      mesh.quaternion.multiply(new THREE.Quaternion(...limit.reference));
      mesh.scale.copy(size);
    };
    place();
    unwatch = stage.onShown(place);
    stage.scene.invalidate();
  });
  return stop;
}

// What a bone sweeps as it turns about an axis from one angle to another.
function fan(bone: THREE.Vector3, axis: THREE.Vector3, from: number, to: number): THREE.BufferGeometry {
  const along = bone.clone().projectOnPlane(axis);
  const basis = new THREE.Matrix4().makeBasis(along.clone().normalize(), axis.clone().cross(along).normalize(), axis.clone().normalize());
  return new THREE.CircleGeometry(along.length(), 32, from, to - from).applyMatrix4(basis);
}
function cone(bone: THREE.Vector3, swing: number): THREE.BufferGeometry {
  const flat = 0.05; // a swing of a quarter turn or more is drawn nearly as a disc
  const height = Math.max(Math.cos(swing), flat);
  const shape = new THREE.ConeGeometry(Math.sin(Math.min(swing, Math.PI / 2)), height, 32, 1, true).rotateX(Math.PI).translate(0, height / 2, 0);
  return shape.scale(bone.length(), bone.length(), bone.length()).applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), bone.clone().normalize()));
}
