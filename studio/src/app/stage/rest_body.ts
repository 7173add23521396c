// The opened mesh as it stands in its file, with the fitted joints: what is shown while joints are placed.
// Data flow: base document, rig choices → core `fit` → handles; dragging a joint asks for a new fit.
import * as THREE from 'three';
import type { RigCue, RigJoint } from '../../core/api.ts';
import { rigArguments, type Made } from '../state/maker.ts';
import { createStore } from '../state/store.ts';
import { sentence, work } from '../state/app.ts';
import { made, say, setView, view, whilePending } from '../state/view.ts';
import { keepsFile, type Vec3, type Work } from '../state/work.ts';
import { disposeBody, loadBody, setBodyGlsl, type Body } from './body.ts';
import { Bones } from './bones.ts';
import type { Stage } from './stage.ts';

export interface Fit {
  template: string;
  confidence: number;
  joints: RigJoint[];
  cues: RigCue[];
  warnings: string[];
}
export const fit = createStore<Fit | null>(null);

export class RestBody {
  shown = false;
  readonly turned = new THREE.Group(); // the file's up is the stage's up
  private body: Body | null = null;
  private readonly bones = new Bones();
  private shownBase = -1;
  private fitKey = '';
  private skeletonKey = '';
  private busy = false;
  private next: Work | null = null;

  constructor(private readonly stage: Stage) {
    this.turned.visible = false;
    this.turned.add(this.bones.group);
    stage.scene.content.add(this.turned);
    made.watch(() => this.refresh());
    view.watch((v, before) => (v.room !== before.room || v.joint !== before.joint || v.theme !== before.theme) && this.refresh());
    fit.watch(() => this.draw());
  }

  private refresh(): void {
    const m = made.get();
    const wanted = view.get().room === 'rig' && m !== null && !keepsFile(m.baseState, work());
    if (!wanted || !m) return this.show(false);
    void whilePending(() => this.load(m).then(() => this.ask(work()))).catch((error) => say(sentence(error), 'bad'));
  }

  private show(shown: boolean): void {
    if (shown === this.shown) return this.draw();
    this.shown = shown;
    this.turned.visible = shown;
    this.stage.applyView();
    this.draw();
    setView({}); // the handles look again
  }

  private async load(m: Made): Promise<void> {
    if (m.base === this.shownBase) return this.show(true);
    const [{ files }, { parts }] = await Promise.all([
      this.stage.core.call('export', { id: m.base, name: 'rest.glb' }),
      this.stage.core.call('geometry', { id: m.base }),
    ]);
    const body = await loadBody(files.at(-1)!.bytes, parts, [], m.baseState.info.joints.map((j) => j.name));
    if (this.body) disposeBody(this.body);
    for (const part of body.parts) {
      // Rest positions are the stage's own: the mesh hangs on nothing here.
      part.mesh.geometry.setAttribute('position', new THREE.BufferAttribute(part.rest.positions, 3));
      part.joint = -1;
      const material = part.mesh.material as THREE.MeshStandardMaterial;
      material.side = THREE.FrontSide;
      material.transparent = true;
      material.opacity = 0.72;
    }
    setBodyGlsl(body, null);
    this.body = body;
    this.turned.add(body.group);
    this.shownBase = m.base;
    this.fitKey = '';
    this.show(true);
  }

  // Asks for a fit with these choices; while one is running only the newest waits.
  ask(wanted: Work): void {
    this.next = wanted;
    if (!this.busy) void whilePending(() => this.run());
  }

  private async run(): Promise<void> {
    this.busy = true;
    try {
      while (this.next) {
        const wanted = this.next;
        this.next = null;
        const rig = rigArguments(wanted);
        const key = JSON.stringify([this.shownBase, rig]);
        if (key === this.fitKey || this.shownBase < 0) continue;
        const found = await this.stage.core.call('fit', { id: this.shownBase, rig });
        this.fitKey = key;
        this.turnUp(found.up, found.facing);
        fit.set(found);
      }
    } catch (error) {
      say(sentence(error), 'bad');
    } finally {
      this.busy = false;
    }
  }

  private turnUp(up: Vec3, facing: Vec3): void {
    const y = new THREE.Vector3(...up).normalize();
    const z = new THREE.Vector3(...facing).projectOnPlane(y).normalize();
    if (z.lengthSq() === 0) return;
    const x = new THREE.Vector3().crossVectors(y, z);
    this.turned.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z)).invert();
    this.turned.position.set(0, 0, 0);
    this.turned.updateMatrixWorld(true);
    const box = new THREE.Box3();
    if (this.body) for (const part of this.body.parts) box.union(new THREE.Box3().setFromArray(part.rest.positions).applyMatrix4(this.turned.matrixWorld));
    if (!box.isEmpty()) this.turned.position.set(-(box.min.x + box.max.x) / 2, -box.min.y, -(box.min.z + box.max.z) / 2);
    this.turned.updateMatrixWorld(true);
  }

  // From the mesh's space to the stage and back.
  toStage(position: Vec3): THREE.Vector3 {
    return this.turned.localToWorld(new THREE.Vector3(...position));
  }
  toMesh(at: THREE.Vector3): Vec3 {
    return this.turned.worldToLocal(at.clone()).toArray() as Vec3;
  }

  draw(): void {
    const found = fit.get();
    if (!this.shown || !found) return;
    const names = found.joints.map((j) => j.name);
    const parents = found.joints.map((j) => (j.parent === null ? -1 : names.indexOf(j.parent)));
    const key = parents.join();
    if (key !== this.skeletonKey) this.bones.setSkeleton(parents, new Set(names.map((_, i) => i)));
    this.skeletonKey = key;
    const at = found.joints.map((j) => new THREE.Vector3(...j.position));
    const v = view.get();
    this.bones.update((j) => at[j]!, v.theme, names.indexOf(v.joint ?? ''), (j) => found.joints[j]!.confidence);
    const first = at[0];
    if (first) this.stage.scene.follow(this.turned.localToWorld(first.clone()));
    this.stage.scene.invalidate();
  }
}
