// The brush: dabs on the surface under the pointer; the core spreads them along the skin, not through it.
// Data flow: pointer → surface hit → core `paint` → changed vertices → heat map and skin; a stroke is one step of undo.
import { useEffect } from 'preact/hooks';
import * as THREE from 'three';
import { changeEdit, sentence } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { say, view, whilePending } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { setPartWeights } from './body.ts';
import type { Stage } from './stage.ts';
import { Surface, type Hit } from './surface_hit.ts';
import { withVertices } from './changed_weights.ts';

const apart = 0.35; // of the brush's radius, between two dabs of a stroke

interface Dab {
  joint: string;
  mode: string;
  centre: [number, number, number];
  radius: number;
  strength: number;
  mirror: boolean;
  locked: string[];
}

class Stroke {
  readonly dabs: Dab[] = [];
  private queue: Promise<void> = Promise.resolve();
  private painter: Promise<number>;
  private last: THREE.Vector3 | null = null;
  constructor(private readonly stage: Stage) {
    this.painter = stage.core.call('paint_begin', { id: stage.document! }).then((r) => r.painter);
  }
  dab(hit: Hit): void {
    const { brush, joint, mirror, locked } = view.get();
    const centre = new THREE.Vector3(...hit.rest);
    if (!joint || (this.last && this.last.distanceTo(centre) < brush.radius * apart)) return;
    this.last = centre;
    const dab: Dab = { joint, mode: brush.mode, centre: hit.rest, radius: brush.radius, strength: brush.strength, mirror, locked };
    this.dabs.push(dab);
    this.queue = this.queue.then(() => this.put(dab)).catch((error) => say(sentence(error), 'bad'));
  }
  private async put(dab: Dab): Promise<void> {
    const { parts } = await this.stage.core.call('paint', { painter: await this.painter, ...dab } as any);
    for (const changed of parts) {
      const at = this.stage.skins.findIndex((s) => s.instance === changed.instance && s.primitive === changed.primitive);
      const part = this.stage.body?.parts.find((p) => p.instance === changed.instance && p.primitive === changed.primitive);
      if (at < 0 || !part) continue;
      this.stage.skins[at] = withVertices(this.stage.skins[at]!, changed);
      setPartWeights(part, this.stage.skins[at]!);
    }
    this.stage.updateHeat();
  }
  async end(): Promise<void> {
    await this.queue;
    await this.stage.core.call('paint_end', { painter: await this.painter, keep: false });
    if (this.dabs.length > 0) await changeEdit('paint', `Paint ${this.dabs[0]!.joint}`, { dabs: this.dabs });
  }
}

export function PaintTool({ stage }: { stage: Stage }) {
  const { painting, brush, theme } = useStore(view, (v) => v);
  useEffect(() => {
    if (!painting) return;
    clock.set({ playing: false });
    const canvas = stage.scene.canvas;
    const ring = brushRing(theme === 'dark' ? 0xffffff : 0x15181d);
    stage.scene.scene.add(ring);
    let surface: Surface | null = null;
    let pose: Float32Array | null = null;
    let stroke: Stroke | null = null;
    let press: { events: PointerEvent[]; begun: Promise<void> } | null = null; // while the button is down
    let making: Promise<void> = Promise.resolve();
    const ready = (): Promise<void> => {
      if (pose === (stage.frame?.pose ?? null)) return making;
      pose = stage.frame!.pose;
      return (making = Surface.now(stage).then((made) => void (surface = made)));
    };
    const look = (event: PointerEvent): Hit | null => {
      const hit = surface?.hit(stage.scene.ray(event.clientX, event.clientY).ray) ?? null;
      ring.visible = hit !== null;
      if (hit) {
        ring.position.copy(hit.at).addScaledVector(hit.normal, brush.radius * 0.02);
        ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), hit.normal);
        ring.scale.setScalar(view.get().brush.radius);
      }
      stage.scene.invalidate();
      return hit;
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (!view.get().joint) return say('Choose a joint to paint: in the list on the right, or by its bone.', 'plain');
      // Where the pointer goes until the surface is known is kept: a quick stroke on a slow machine is a stroke too.
      const events = [event];
      press = { events, begun: whilePending(ready).then(() => begin(events)) };
    };
    const begin = (events: PointerEvent[]) => {
      const hit = look(events[0]!);
      if (!hit) return;
      stage.scene.controls.enabled = false;
      if (press?.events === events) canvas.setPointerCapture(events[0]!.pointerId);
      stroke = new Stroke(stage);
      for (const event of events) dab(event);
    };
    const dab = (event: PointerEvent) => {
      const hit = look(event);
      if (hit) stroke?.dab(hit);
    };
    const move = (event: PointerEvent) => {
      if (press && !stroke) return void press.events.push(event);
      if (!stroke) void ready();
      dab(event);
    };
    const up = () => {
      const last = press;
      press = null;
      stage.scene.controls.enabled = true;
      if (last) void whilePending(() => last.begun.then(end));
    };
    const end = async () => {
      const done = stroke;
      stroke = null;
      stage.scene.controls.enabled = true;
      await done?.end();
    };
    // Before the camera's own listener: a press on the body paints, beside it turns the view.
    const first = (event: PointerEvent) => {
      if (!surface || look(event)) stage.scene.controls.enabled = false; // without the surface nobody knows yet
    };
    void ready();
    const start = (event: PointerEvent) => {
      first(event);
      down(event);
    };
    canvas.addEventListener('pointerdown', start, { capture: true });
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', up);
    return () => {
      canvas.removeEventListener('pointerdown', start, { capture: true });
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', up);
      stage.scene.controls.enabled = true;
      ring.removeFromParent();
      stage.scene.invalidate();
    };
  }, [stage, painting, theme]);
  void brush;
  return null;
}

function brushRing(colour: number): THREE.LineLoop {
  const points = Array.from({ length: 48 }, (_, i) => new THREE.Vector3(Math.cos((i / 24) * Math.PI), Math.sin((i / 24) * Math.PI), 0));
  const ring = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: colour, depthTest: false }));
  ring.visible = false;
  ring.renderOrder = 20;
  return ring;
}
