// Dragging a point of the face: the core finds the morph weights that bring it there.
import { useEffect } from 'preact/hooks';
import * as THREE from 'three';
import { sentence } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { faceWeights, setFace } from '../state/face.ts';
import { say, view } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import type { Stage } from './stage.ts';
import { Surface, type Hit } from './surface_hit.ts';

export function FacePoint({ stage }: { stage: Stage }) {
  const on = useStore(view, (v) => v.room === 'face');
  useEffect(() => {
    if (!on) return;
    const canvas = stage.scene.canvas;
    let surface: Surface | null = null;
    let grabbed: Hit | null = null;
    let busy = false;
    const fresh = async () => {
      if (stage.frame && stage.document !== null) surface = await Surface.now(stage);
    };
    const down = (event: PointerEvent) => {
      const hit = event.button === 0 ? surface?.hit(stage.scene.ray(event.clientX, event.clientY).ray) : null;
      if (!hit || !stage.body?.parts[hit.part]?.mesh.morphTargetInfluences?.length) return;
      clock.set({ playing: false });
      stage.scene.controls.enabled = false;
      grabbed = hit;
    };
    const move = async (event: PointerEvent) => {
      if (!grabbed || busy) return;
      busy = true;
      const part = stage.body!.parts[grabbed.part]!;
      const step = stage.scene.dragPoint(event.clientX, event.clientY, grabbed.at).sub(grabbed.at);
      const place = new THREE.Vector3().fromBufferAttribute(part.mesh.geometry.getAttribute('position') as THREE.BufferAttribute, grabbed.vertex).add(step);
      try {
        const { weights } = await stage.core.call('morph_drag', {
          id: stage.document!, instance: part.instance, primitive: part.primitive,
          handles: [{ vertex: grabbed.vertex, position: place.toArray() as [number, number, number] }],
        });
        const first = stage.firstMorph.get(part.instance) ?? 0;
        const all = faceWeights(stage).slice();
        all.set(weights.subarray(0, all.length - first), first);
        setFace(stage, all);
      } catch (error) {
        say(sentence(error), 'bad');
        grabbed = null;
      } finally {
        busy = false;
      }
    };
    const up = () => {
      if (!grabbed) return;
      grabbed = null;
      stage.scene.controls.enabled = true;
      void fresh();
    };
    void fresh();
    const entered = () => void fresh();
    canvas.addEventListener('pointerdown', down, { capture: true });
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointerenter', entered);
    return () => {
      canvas.removeEventListener('pointerdown', down, { capture: true });
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', up);
      canvas.removeEventListener('pointerenter', entered);
      stage.scene.controls.enabled = true;
    };
  }, [stage, on]);
  return null;
}
