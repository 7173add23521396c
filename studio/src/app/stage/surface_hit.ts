// Where a ray meets the body as it is shown now, and which place of the rest shape that is.
// Data flow: pose → core `deform` → triangles on the page → hit → the same corner weights on the rest shape.
import * as THREE from 'three';
import type { ShownPart } from '../../core/api.ts';
import { whilePending } from '../state/view.ts';
import type { Stage } from './stage.ts';

export interface Hit {
  part: number; // of the body's parts
  vertex: number; // the corner that is nearest
  at: THREE.Vector3; // on the stage
  normal: THREE.Vector3;
  rest: [number, number, number]; // the same place of the shape at rest
}

export class Surface {
  private constructor(private readonly stage: Stage, private readonly shown: ShownPart[]) {}

  // The body as it stands in the frame that is shown.
  static async now(stage: Stage): Promise<Surface> {
    const { parts } = await whilePending(() => stage.core.call('deform', { id: stage.document!, pose: stage.frame!.pose, morphs: stage.frame!.morphs }));
    return new Surface(stage, parts);
  }

  hit(ray: THREE.Ray): Hit | null {
    let nearest = Infinity;
    let best: Hit | null = null;
    const [a, b, c, at] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.stage.body?.parts.forEach((part, p) => {
      const shown = this.shown.find((s) => s.instance === part.instance && s.primitive === part.primitive);
      if (!shown) return;
      const corners = part.rest.triangles;
      if (!ray.intersectsBox(new THREE.Box3().setFromArray(shown.positions))) return;
      for (let t = 0; t < corners.length; t += 3) {
        a.fromArray(shown.positions, corners[t]! * 3);
        b.fromArray(shown.positions, corners[t + 1]! * 3);
        c.fromArray(shown.positions, corners[t + 2]! * 3);
        if (!ray.intersectTriangle(a, b, c, false, at)) continue;
        const distance = ray.origin.distanceToSquared(at);
        if (distance >= nearest) continue;
        nearest = distance;
        best = this.made(p, t, at, a, b, c);
      }
    });
    return best;
  }

  private made(p: number, t: number, at: THREE.Vector3, a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3): Hit {
    const rest = this.stage.body!.parts[p]!.rest;
    const share = THREE.Triangle.getBarycoord(at, a, b, c, new THREE.Vector3()) ?? new THREE.Vector3(1, 0, 0);
    const corners = [0, 1, 2].map((k) => rest.triangles[t + k]!);
    const place = new THREE.Vector3();
    [share.x, share.y, share.z].forEach((s, k) => place.addScaledVector(new THREE.Vector3().fromArray(rest.positions, corners[k]! * 3), s));
    const largest = share.x >= share.y && share.x >= share.z ? 0 : share.y >= share.z ? 1 : 2;
    const normal = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
    return { part: p, vertex: corners[largest]!, at: at.clone(), normal, rest: place.toArray() as [number, number, number] };
  }
}
