// The skeleton as shapes on top of the body: one spindle per bone, one ball per joint.
import * as THREE from 'three';

const colours = { dark: new THREE.Color(0xd7dde6), light: new THREE.Color(0x3b4350) };
const selected = new THREE.Color(0xff8a5c);
const surest = new THREE.Color(0x45b97c);
const unsure = new THREE.Color(0xf0b74e);
const wrong = new THREE.Color(0xf26161);

// Green where the fit is sure, yellow where it may be off, red where it should be looked at.
export function confidenceColour(confidence: number): THREE.Color {
  const half = 0.5;
  return confidence > half
    ? unsure.clone().lerp(surest, (confidence - half) / half)
    : wrong.clone().lerp(unsure, confidence / half);
}

// A spindle from 0 to 1 along +Y, thickest near its beginning.
function spindle(): THREE.BufferGeometry {
  const waist = 0.16;
  const width = 0.09;
  const geometry = new THREE.CylinderGeometry(0, width, 1 - waist, 4, 1, true).translate(0, waist + (1 - waist) / 2, 0);
  const low = new THREE.CylinderGeometry(width, 0, waist, 4, 1, true).translate(0, waist / 2, 0);
  const positions = [...geometry.toNonIndexed().getAttribute('position').array, ...low.toNonIndexed().getAttribute('position').array];
  const both = new THREE.BufferGeometry();
  both.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  both.computeVertexNormals();
  return both;
}

export class Bones {
  readonly group = new THREE.Group();
  private spindles: THREE.InstancedMesh | null = null;
  private balls: THREE.InstancedMesh | null = null;
  private pairs: [from: number, to: number][] = [];
  private joints: number[] = [];
  private readonly shape = spindle();
  private readonly ball = new THREE.SphereGeometry(1, 12, 8);
  private readonly material = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.86, depthTest: false, depthWrite: false });

  // `shown`: the joints that belong to the skeleton; others are nodes that only carry something.
  setSkeleton(parents: number[], shown: Set<number>): void {
    this.group.clear();
    this.joints = parents.map((_, j) => j).filter((j) => shown.has(j));
    this.pairs = this.joints.filter((j) => shown.has(parents[j]!)).map((j) => [parents[j]!, j]);
    this.spindles = new THREE.InstancedMesh(this.shape, this.material, Math.max(this.pairs.length, 1));
    this.balls = new THREE.InstancedMesh(this.ball, this.material, Math.max(this.joints.length, 1));
    this.spindles.count = this.pairs.length;
    this.balls.count = this.joints.length;
    for (const mesh of [this.spindles, this.balls]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      this.group.add(mesh);
    }
  }

  // `position` and `colour` answer for a joint of the skeleton.
  update(position: (joint: number) => THREE.Vector3, theme: 'dark' | 'light', chosen: number, confidence: ((joint: number) => number | null) | null): void {
    if (!this.spindles || !this.balls) return;
    const colour = (joint: number) => {
      if (joint === chosen) return selected;
      const sure = confidence?.(joint) ?? null;
      return sure === null ? colours[theme] : confidenceColour(sure);
    };
    const m = new THREE.Matrix4();
    const q = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 1, 0);
    const along = new THREE.Vector3();
    const scale = new THREE.Vector3();
    const least = new THREE.Vector3().setScalar(1e-6);
    const lengths = this.pairs.map(([from, to]) => position(from).distanceTo(position(to))).sort((a, b) => a - b);
    const thickest = (lengths[Math.floor(lengths.length * 0.8)] ?? 1) * 1.2; // a long bone is not a thick one
    this.pairs.forEach(([from, to], i) => {
      const start = position(from);
      along.copy(position(to)).sub(start);
      const length = along.length();
      q.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
      this.spindles!.setMatrixAt(i, m.compose(start, q, scale.set(Math.min(length, thickest), length, Math.min(length, thickest)).max(least)));
      this.spindles!.setColorAt(i, colour(from));
    });
    const radius = thickest * 0.045;
    this.joints.forEach((joint, i) => {
      this.balls!.setMatrixAt(i, m.compose(position(joint), q.identity(), scale.setScalar(joint === chosen ? radius * 1.7 : radius)));
      this.balls!.setColorAt(i, colour(joint));
    });
    for (const mesh of [this.spindles, this.balls]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}
