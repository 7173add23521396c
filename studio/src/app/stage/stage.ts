// The stage: keeps the drawn body, its skeleton and the camera in step with the character, the view and the clock.
// Data flow: `made`, `view`, clock → core frames → scene. Tools (handles, brush, trails) hang on `onShown`.
import * as THREE from 'three';
import type { Core } from '../../core/client.ts';
import type { SkinPart } from '../../core/api.ts';
import type { Made } from '../state/maker.ts';
import { made, say, view, whilePending } from '../state/view.ts';
import { history, sentence, work } from '../state/app.ts';
import { mixLayers } from '../state/mix.ts';
import { clock } from '../time/clock.ts';
import { disposeBody, loadBody, setBodyGlsl, setPartWeights, showFrame, showVertices, showWire, type Body, type Frame } from './body.ts';
import { Bones } from './bones.ts';
import { fillHeat } from './heat.ts';
import { gpuMethod, Playback } from './playback.ts';
import { Scene } from './scene.ts';
import type { Glsl } from './skin_shader.ts';
import { RestBody } from './rest_body.ts';

const lineColours = { dark: 0xffffff, light: 0x10141a };

export class Stage {
  readonly scene: Scene;
  readonly bones = new Bones();
  readonly rest: RestBody;
  body: Body | null = null;
  skins: SkinPart[] = [];
  frame: Frame | null = null;
  shownJoints = new Set<number>();
  firstMorph = new Map<number, number>();
  handPose: Float32Array | null = null; // a pose by hand that has no key yet
  poseBefore: Float32Array | null = null; // the clip's, from before the first change by hand
  handMorphs: Float32Array | null = null;
  private playback: Playback | null = null;
  private shownMade: Made | null = null;
  private bodyKey = '';
  private skinKey = '';
  private skinning = '';
  private fresh = false; // no frame of the new character was shown yet
  private readonly watchers = new Set<() => void>();
  private loading: Promise<void> = Promise.resolve();

  constructor(canvas: HTMLCanvasElement, readonly core: Core) {
    this.scene = new Scene(canvas);
    this.rest = new RestBody(this);
    this.scene.content.add(this.bones.group);
    this.scene.onFrame = (seconds) => {
      clock.tick(seconds);
      this.askFrame();
    };
    this.scene.onDrawn = () => this.watchers.forEach((seen) => seen());
    made.watch((m) => m && this.take(m));
    history.watch((h, before) => h.present.skinning !== before.present.skinning && this.shownMade && this.take(this.shownMade));
    view.watch((v, before) => {
      if (v.joint !== before.joint || v.heat !== before.heat) this.updateHeat();
      if (v.clip !== before.clip) this.handPose = null;
      this.applyView();
    });
    clock.watch(() => this.scene.invalidate());
    this.applyView();
  }

  // Called after every picture: for what lies on top of it.
  onShown(seen: () => void): () => void {
    this.watchers.add(seen);
    return () => this.watchers.delete(seen);
  }

  take(next: Made): void {
    this.loading = whilePending(() => this.loading.then(() => this.show(next)).catch((error) => say(sentence(error), 'bad')));
  }

  private async show(next: Made): Promise<void> {
    const skinning = work().skinning;
    const sameBody = next.bodyKey === this.bodyKey && this.body !== null;
    const swap = !gpuMethod(skinning) !== !gpuMethod(this.skinning || 'lbs'); // vertices change hands
    // Asked for at once: the core prepares playing while the page reads the body.
    const loaded = !sameBody || swap ? this.loadBody(next, skinning) : next.skinKey !== this.skinKey ? this.loadWeights(next.document) : null;
    const [playback] = await Promise.all([Playback.begin(this.core, next.document, skinning), loaded]);
    playback.instances = this.skinnedInstances();
    if (skinning !== this.skinning && sameBody && !swap) setBodyGlsl(this.body!, await this.methodGlsl(skinning));
    this.playback?.end();
    this.playback = playback;
    playback.onFrame = (frame) => this.showFrame(frame);
    playback.onError = (error) => say(sentence(error), 'bad');
    Object.assign(this, { shownMade: next, bodyKey: next.bodyKey, skinKey: next.skinKey, skinning });
    this.handPose = null;
    this.applyView();
    this.fresh = true;
    this.askFrame(true);
  }

  private async loadBody(next: Made, skinning: string): Promise<void> {
    const id = next.document;
    const [{ files }, { parts }, skins, { instances }, glsl] = await Promise.all([
      this.core.call('export', { id, name: 'shown.glb' }),
      this.core.call('geometry', { id }),
      this.core.call('weights', { id }),
      this.core.call('morphs', { id }),
      this.methodGlsl(skinning),
    ]);
    const joints = next.state.info.joints;
    const body = await loadBody(files.at(-1)!.bytes, parts, skins.parts, joints.map((j) => j.name));
    setBodyGlsl(body, glsl);
    await this.scene.prepare(body.group);
    const another = !this.body || JSON.stringify(this.shownMade?.baseState.info.bounds) !== JSON.stringify(next.baseState.info.bounds);
    if (this.body) disposeBody(this.body);
    this.body = body;
    this.skins = skins.parts;
    this.firstMorph = new Map(instances.map((i) => [i.instance, i.first]));
    this.scene.content.add(body.group);
    this.shownJoints = skeletonJoints(joints.map((j) => j.parent), skins.parts);
    this.bones.setSkeleton(joints.map((j) => j.parent), this.shownJoints);
    if (another) this.scene.frame(body.box);
    this.applyView();
  }

  private async loadWeights(id: number): Promise<void> {
    this.skins = (await this.core.call('weights', { id })).parts;
    let refit = false;
    for (const part of this.body!.parts) {
      const skin = this.skins.find((s) => s.instance === part.instance && s.primitive === part.primitive);
      const before = part.eight;
      if (skin) setPartWeights(part, skin);
      refit ||= before !== part.eight;
    }
    if (refit) setBodyGlsl(this.body!, await this.methodGlsl(this.skinning));
  }

  private async methodGlsl(skinning: string): Promise<Glsl | null> {
    const method = gpuMethod(skinning);
    return method ? { name: method.glsl, ...(await this.core.call('glsl', { method: method.glsl, palette: 'texture' })) } : null;
  }

  private skinnedInstances(): number[] {
    return [...new Set(this.skins.map((s) => s.instance))];
  }

  private lastAsked = '';
  askFrame(anyway = false): void {
    if (!this.playback || !this.shownMade) return;
    const layers = mixLayers(this.shownMade.state.info.clips, view.get().clip, clock.get().time);
    const asked = JSON.stringify(layers);
    if (!anyway && asked === this.lastAsked) return;
    this.lastAsked = asked;
    const shown = this.playback.ask({ layers, pose: this.handPose, morphs: this.handMorphs }).then(() => this.deforming);
    if (!clock.get().playing) void whilePending(() => shown);
  }
  // Shows the chosen clip at a moment, and resolves when that is drawn.
  async showAt(time: number): Promise<void> {
    clock.seek(time);
    if (!this.playback || !this.shownMade) return;
    const layers = mixLayers(this.shownMade.state.info.clips, view.get().clip, time);
    this.showFrame(await this.playback.frame({ layers, pose: this.handPose, morphs: this.handMorphs }));
    await this.deforming;
    this.scene.drawNow();
  }
  setHandPose(pose: Float32Array | null): void {
    if (!this.handPose) this.poseBefore = this.frame?.pose.slice() ?? null;
    this.handPose = pose;
    this.askFrame(true);
  }

  private showFrame(frame: Frame): void {
    if (!this.body) return;
    this.frame = frame;
    showFrame(this.body, frame, this.firstMorph);
    if (this.fresh) performance.mark('sinew-shown'); // for the benchmark
    this.fresh = false;
    if (!gpuMethod(this.skinning)) this.deforming ??= this.deformOnCore(frame).finally(() => (this.deforming = null));
    this.drawBones();
    this.follow();
    this.scene.invalidate();
  }

  private deforming: Promise<void> | null = null;
  private async deformOnCore(frame: Frame): Promise<void> {
    if (!this.shownMade) return;
    const { parts } = await this.core.call('deform', { id: this.shownMade.document, pose: frame.pose, morphs: frame.morphs, skinning: this.skinning });
    for (const shown of parts) {
      const part = this.body?.parts.find((p) => p.instance === shown.instance && p.primitive === shown.primitive);
      if (!part) continue;
      part.mesh.matrix.identity();
      showVertices(part, shown.positions, shown.normals);
    }
    this.scene.invalidate();
  }

  position(joint: number): THREE.Vector3 {
    const at = joint * 16 + 12;
    return this.frame ? new THREE.Vector3().fromArray(this.frame.world, at) : new THREE.Vector3();
  }
  jointIndex(name: string | null): number {
    return this.shownMade?.state.info.joints.findIndex((j) => j.name === name) ?? -1;
  }
  joints() {
    return this.shownMade?.state.info.joints ?? [];
  }
  get document(): number | null {
    return this.shownMade?.document ?? null;
  }

  // The camera goes along with the hips, or the first joint. What has no joints stays where it is; so does the view while the
  // frame is still that of the character before, which may have had fewer.
  private follow(): void {
    const hips = this.joints().findIndex((j) => j.role === 'hips');
    const first = hips >= 0 ? hips : ([...this.shownJoints][0] ?? 0);
    if (this.frame && first * 16 < this.frame.world.length) this.scene.follow(this.position(first));
  }

  drawBones(): void {
    const v = view.get();
    if (!v.bones || !this.frame) return;
    this.bones.update((j) => this.position(j), v.theme, this.jointIndex(v.joint), null);
  }

  updateHeat(): void {
    if (!this.body) return;
    const { heat, joint, room } = view.get();
    const shown = heat && room === 'skin';
    const index = this.jointIndex(joint);
    for (const part of this.body.parts) {
      part.uniforms.heatShown.value = shown && index >= 0 ? 1 : 0;
      const skin = this.skins.find((s) => s.instance === part.instance && s.primitive === part.primitive);
      if (shown && index >= 0) fillHeat(part.mesh.geometry, skin ?? null, index);
    }
    this.scene.invalidate();
  }

  applyView(): void {
    const v = view.get();
    this.scene.setTheme(v.theme);
    this.scene.setGround(v.ground, v.shadow);
    this.scene.turntable = v.turntable;
    const fitting = v.room === 'rig' && this.rest.shown;
    this.bones.group.visible = v.bones && !fitting;
    if (this.body) {
      this.body.group.visible = !fitting;
      showWire(this.body, v.wire, lineColours[v.theme]);
    }
    this.updateHeat();
    this.drawBones();
    if (!fitting) this.follow();
    this.scene.invalidate();
  }
}

// Joints that a skin uses and what they hang on; all where nothing is skinned.
function skeletonJoints(parents: number[], skins: SkinPart[]): Set<number> {
  const used = new Set<number>();
  for (const skin of skins)
    for (const joint of skin.joints) used.add(joint);
  if (used.size === 0) return new Set(parents.map((_, j) => j));
  const bottom = [...used];
  for (const joint of bottom) {
    // Between two used joints all belong to the skeleton.
    const path: number[] = [];
    for (let p = parents[joint]!; p >= 0; p = parents[p]!) {
      if (used.has(p)) {
        path.forEach((between) => used.add(between));
        break;
      }
      path.push(p);
    }
  }
  return used;
}
