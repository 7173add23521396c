// The empty stage: renderer, camera, light, ground and the loop that draws when something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { roomLight } from './environment.ts';
import { createGround, type Ground } from './ground.ts';

const colours = {
  dark: { back: 0x16191e, ground: 0x1f242b, line: 0x39414c, sky: 0.55, key: 2.2 },
  light: { back: 0xe9ebee, ground: 0xf7f8f9, line: 0xc3c9d1, sky: 0.75, key: 2.4 },
};

const mostPixels = 2; // device pixels per CSS pixel
const fieldOfView = 32;

export type CameraPreset = 'front' | 'side' | 'back' | 'three-quarter' | 'top';
const presets: Record<CameraPreset, [azimuth: number, elevation: number]> = {
  front: [0, 6],
  side: [90, 6],
  back: [180, 6],
  'three-quarter': [35, 12],
  top: [0, 89],
};

export class Scene {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 200);
  readonly controls: OrbitControls;
  readonly content = new THREE.Group();
  onFrame: ((seconds: number) => void) | null = null;
  onDrawn: (() => void) | null = null;
  private readonly key = new THREE.DirectionalLight(0xfff4e8, 2);
  private readonly rim = new THREE.DirectionalLight(0xbfd4ff, 0.8);
  private readonly ground: Ground = createGround();
  private readonly centre = new THREE.Vector3(0, 0.9, 0);
  private size = 1.8; // of what is shown, in its own units
  private dirty = true;
  private shadowOld = true; // what casts it moved, or the light did
  private last = 0;
  private following = new THREE.Vector3();
  turntable = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, mostPixels));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene.environment = roomLight();
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -0.0006;
    this.key.shadow.normalBias = 0.02;
    this.scene.add(this.key, this.key.target, this.rim, this.rim.target, this.ground.group, this.content);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => this.lookAgain());
    this.look('three-quarter');
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    this.renderer.setAnimationLoop((now) => this.tick(now));
  }

  invalidate(): void {
    this.dirty = true;
    this.shadowOld = true;
  }
  // Only the camera moved: the shadow lies where it lay.
  private lookAgain(): void {
    this.dirty = true;
  }

  setTheme(theme: 'dark' | 'light'): void {
    const c = colours[theme];
    this.scene.background = new THREE.Color(c.back);
    this.scene.environmentIntensity = c.sky;
    this.key.intensity = c.key;
    this.ground.setColours(c.ground, c.line, c.back);
    this.invalidate();
  }
  setGround(shown: boolean, shadow: boolean): void {
    this.ground.group.visible = shown;
    this.key.castShadow = shadow;
    this.invalidate();
  }

  // Fits light, ground and camera to a box.
  frame(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    box.getCenter(this.centre);
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    this.ground.setSize(this.size);
    this.camera.near = this.size / 200;
    this.camera.far = this.size * 60;
    this.camera.updateProjectionMatrix();
    this.following.copy(this.centre);
    this.placeLights();
    this.look('three-quarter');
  }

  private placeLights(): void {
    const s = this.size;
    const c = this.following;
    this.ground.group.position.set(c.x, 0, c.z);
    this.key.position.set(c.x + s * 0.9, c.y + s * 1.5, c.z + s * 1.1);
    this.key.target.position.copy(c);
    this.rim.position.set(c.x - s, c.y + s * 0.9, c.z - s * 1.3);
    this.rim.target.position.copy(c);
    const shadow = this.key.shadow.camera;
    [shadow.left, shadow.right, shadow.top, shadow.bottom] = [-s, s, s, -s];
    shadow.near = s * 0.1;
    shadow.far = s * 5;
    shadow.updateProjectionMatrix();
    this.shadowOld = true;
  }

  // Keeps a moving character in the picture: camera, light and what they look at go along on the ground.
  follow(at: THREE.Vector3): void {
    const away = Math.hypot(at.x - this.following.x, at.z - this.following.z);
    if (away < this.size * 1e-3) return;
    const step = new THREE.Vector3(at.x - this.following.x, 0, at.z - this.following.z);
    this.following.add(step);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.placeLights();
    this.invalidate();
  }

  look(preset: CameraPreset): void {
    const [azimuth, elevation] = presets[preset].map(THREE.MathUtils.degToRad) as [number, number];
    const narrow = Math.min(this.camera.aspect, 1);
    const distance = (this.size * 0.56) / Math.tan(THREE.MathUtils.degToRad(fieldOfView / 2)) / narrow;
    const c = this.following;
    const flat = Math.cos(elevation) * distance;
    this.controls.target.copy(c);
    this.camera.position.set(c.x + Math.sin(azimuth) * flat, c.y + Math.sin(elevation) * distance, c.z + Math.cos(azimuth) * flat);
    this.controls.update();
    this.lookAgain();
  }

  // Turns the camera by degrees around what it looks at, or comes closer: the keyboard's way.
  orbit(azimuth: number, elevation: number, closer = 1): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const s = new THREE.Spherical().setFromVector3(offset);
    s.theta += THREE.MathUtils.degToRad(azimuth);
    s.phi = THREE.MathUtils.clamp(s.phi - THREE.MathUtils.degToRad(elevation), 0.02, Math.PI - 0.02);
    s.radius *= closer;
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(s));
    this.controls.update();
    this.lookAgain();
  }

  // A place in CSS pixels of the canvas; null behind the camera.
  project(at: THREE.Vector3): { x: number; y: number } | null {
    const p = at.clone().project(this.camera);
    if (p.z > 1) return null;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    return { x: ((p.x + 1) / 2) * w, y: ((1 - p.y) / 2) * h };
  }
  ray(clientX: number, clientY: number): THREE.Raycaster {
    const r = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((clientX - r.left) / r.width) * 2 - 1, 1 - ((clientY - r.top) / r.height) * 2);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster;
  }
  // Where the pointer is in the plane through `at` that faces the camera: what a drag in 3D means.
  dragPoint(clientX: number, clientY: number, at: THREE.Vector3): THREE.Vector3 {
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at);
    return this.ray(clientX, clientY).ray.intersectPlane(plane, new THREE.Vector3()) ?? at.clone();
  }

  drawNow(): void {
    this.dirty = false;
    this.renderer.shadowMap.needsUpdate ||= this.shadowOld;
    this.shadowOld = false;
    this.renderer.render(this.scene, this.camera);
  }

  // Compiles what an object needs, beside the page's other work, before it is shown.
  async prepare(object: THREE.Object3D): Promise<void> {
    await this.renderer.compileAsync(object, this.camera, this.scene);
  }

  private resize(): void {
    const parent = this.canvas.parentElement!;
    const [w, h] = [Math.max(parent.clientWidth, 1), Math.max(parent.clientHeight, 1)];
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private tick(now: number): void {
    const longestStep = 0.1; // seconds: a hidden page does not jump
    const seconds = Math.min((now - this.last) / 1000, longestStep);
    this.last = now;
    const turn = 24; // degrees a second
    if (this.turntable) this.orbit(turn * seconds, 0);
    this.controls.update();
    this.onFrame?.(seconds);
    if (!this.dirty) return;
    this.drawNow();
    this.onDrawn?.();
  }
}
