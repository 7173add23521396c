// What can be drawn around a moving character: trails of joints, onion skins, where feet stand, how far a joint turns.
import { useEffect } from 'preact/hooks';
import * as THREE from 'three';
import { useStore } from '../state/store.ts';
import { made, view } from '../state/view.ts';
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
  void stage.core.call('trail', { id: stage.document!, clip: String(clip), joints: which.map((j) => joints[j]!.name), fps: frameRate }).then(({ times, points }) => {
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
  void refresh();
  const unwatch = clock.watch(() => void refresh());
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

// How far the chosen joint can turn: an arc for a hinge, a cone for the others.
function showLimits(stage: Stage, joint: string | null): () => void {
  const { group, remove } = layer(stage);
  const index = stage.jointIndex(joint);
  if (index < 0) return remove;
  const child = stage.joints().findIndex((j) => j.parent === index);
  void stage.core.call('joint_limits', { id: stage.document! }).then(({ limits }) => {
    const limit = limits.find((l) => l.joint === joint);
    if (!limit || limit.kind === 'none') return;
    const length = child >= 0 ? stage.position(child).distanceTo(stage.position(index)) : 0.1;
    const hinge = limit.kind === 'hinge';
    const shape = hinge
      ? new THREE.CircleGeometry(length, 32, limit.min, limit.max - limit.min)
      : new THREE.ConeGeometry(Math.sin(Math.min(limit.swing, Math.PI / 2)) * length, Math.max(Math.cos(limit.swing), 0.05) * length, 32, 1, true).rotateX(Math.PI).translate(0, (Math.max(Math.cos(limit.swing), 0.05) * length) / 2, 0);
    const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ color: 0x5cb8ff, transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthTest: false }));
    group.add(mesh);
    const parent = stage.joints()[index]!.parent;
    const place = () => {
      mesh.position.copy(stage.position(index));
      if (parent >= 0 && stage.frame) new THREE.Matrix4().fromArray(stage.frame.world, parent * 16).decompose(new THREE.Vector3(), mesh.quaternion, new THREE.Vector3());
      mesh.quaternion.multiply(new THREE.Quaternion(...limit.reference));
      if (hinge) mesh.quaternion.multiply(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...limit.axis)));
    };
    place();
    stage.onShown(place);
    stage.scene.invalidate();
  });
  return remove;
}
