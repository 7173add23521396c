// The drawn character: meshes and materials out of the GLB that the core wrote, moved by the core's frames.
// Data flow: GLB bytes, parts, weights → *here* → scene; per frame palettes, matrices and morph weights.
import * as THREE from 'three';
import { GLTFLoader, type GLTF, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { Part, SkinPart } from '../../core/api.ts';
import { fillPalette, paletteTexture, putSkin, type Glsl, type SkinUniforms } from './skin_shader.ts';

export interface BodyPart {
  instance: number;
  primitive: number;
  joint: number; // of a mesh that hangs on a joint without a skin; −1: skinned
  mesh: THREE.Mesh;
  wire: THREE.LineSegments | null;
  uniforms: SkinUniforms;
  eight: boolean;
  rest: Part;
}

export interface Body {
  group: THREE.Group;
  parts: BodyPart[];
  box: THREE.Box3;
}

const influences = 4; // of one attribute; a second one takes vertices with more

async function parse(bytes: Uint8Array): Promise<GLTF> {
  const loader = new GLTFLoader();
  // Pictures as <img>: the page's policy lets nothing be fetched but what its own server has.
  loader.register((parser: GLTFParser) => {
    parser.textureLoader = new THREE.TextureLoader(parser.options.manager);
    return { name: 'pictures' };
  });
  return loader.parseAsync(bytes.slice().buffer, '');
}

interface Drawn {
  mesh: THREE.Mesh;
  node: string;
}

// All primitives of the file in the order of nodes, as the core counts them.
function drawnMeshes(gltf: GLTF): Drawn[] {
  const found: (Drawn & { order: number; primitive: number })[] = [];
  gltf.scene.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    const at = gltf.parser.associations.get(object) as { nodes?: number; primitives?: number } | undefined;
    const owner = at?.nodes ?? (gltf.parser.associations.get(object.parent!) as { nodes?: number } | undefined)?.nodes ?? 0;
    found.push({ mesh: object, node: gltf.parser.json.nodes[owner]?.name ?? '', order: owner, primitive: at?.primitives ?? 0 });
  });
  return found.sort((a, b) => a.order - b.order || a.primitive - b.primitive);
}

// The file's mesh for each of the core's parts: the first unused one with as many vertices.
function matchParts(parts: Part[], drawn: Drawn[]): (Drawn | null)[] {
  const free = new Set(drawn);
  return parts.map((part) => {
    for (const d of free) {
      if (d.mesh.geometry.getAttribute('position').count * 3 !== part.positions.length) continue;
      free.delete(d);
      return d;
    }
    return null;
  });
}

function plainMesh(part: Part): THREE.Mesh {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(part.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(part.normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(part.triangles, 1));
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0xb8bcc4, roughness: 0.75 }));
}

export async function loadBody(bytes: Uint8Array, parts: Part[], skins: SkinPart[], jointNames: string[]): Promise<Body> {
  const gltf = await parse(bytes);
  const matches = matchParts(parts, drawnMeshes(gltf));
  const group = new THREE.Group();
  const box = new THREE.Box3();
  const body: BodyPart[] = [];
  parts.forEach((rest, i) => {
    const match = matches[i];
    const source = match?.mesh ?? plainMesh(rest);
    const skin = skins.find((s) => s.instance === rest.instance && s.primitive === rest.primitive);
    const geometry = source.geometry.clone();
    const count = geometry.getAttribute('position').count;
    geometry.setAttribute('heat', new THREE.BufferAttribute(new Float32Array(count), 1));
    if (!geometry.getAttribute('normal')) geometry.setAttribute('normal', new THREE.BufferAttribute(rest.normals, 3));
    const mesh = new THREE.Mesh(geometry, clonedMaterial(source.material));
    if (source.morphTargetInfluences) mesh.morphTargetInfluences = [...source.morphTargetInfluences];
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    group.add(mesh);
    box.union(new THREE.Box3().setFromArray(rest.positions));
    const joint = skin || !match ? -1 : jointNames.indexOf(match.node);
    const part = { instance: rest.instance, primitive: rest.primitive, joint, mesh, wire: null, uniforms: { sinew_palette: { value: paletteTexture() }, heatShown: { value: 0 } }, eight: false, rest };
    if (skin) setPartWeights(part, skin);
    body.push(part);
  });
  return { group, parts: body, box };
}

function clonedMaterial(material: THREE.Material | THREE.Material[]): THREE.Material {
  const one = (Array.isArray(material) ? material[0]! : material).clone();
  one.side = one.side === THREE.FrontSide ? THREE.DoubleSide : one.side;
  one.shadowSide = THREE.FrontSide;
  return one;
}

// The eight largest influences of each vertex as attributes. Weights come sorted.
export function setPartWeights(part: BodyPart, skin: SkinPart): void {
  const count = skin.first.length - 1;
  const geometry = part.mesh.geometry;
  const most = skin.first.reduce((m, f, v) => (v < count ? Math.max(m, skin.first[v + 1]! - f) : m), 0);
  part.eight = most > influences;
  for (let set = 0; set < (part.eight ? 2 : 1); set++) {
    const joints = new Float32Array(count * influences);
    const weights = new Float32Array(count * influences);
    for (let v = 0; v < count; v++)
      for (let k = 0; k < influences; k++) {
        const i = skin.first[v]! + set * influences + k;
        if (i >= skin.first[v + 1]!) break;
        joints[v * influences + k] = skin.joint[i]!;
        weights[v * influences + k] = skin.weight[i]!;
      }
    geometry.setAttribute(`joints${set}`, new THREE.BufferAttribute(joints, influences));
    geometry.setAttribute(`weights${set}`, new THREE.BufferAttribute(weights, influences));
  }
}

export function setBodyGlsl(body: Body, glsl: Glsl | null): void {
  for (const part of body.parts) {
    const skinned = part.joint < 0 && part.mesh.geometry.getAttribute('joints0') ? glsl : null;
    putSkin(part.mesh.material as THREE.Material, skinned, part.uniforms, part.eight);
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    putSkin(depth, skinned, part.uniforms, part.eight);
    part.mesh.customDepthMaterial = depth;
    if (part.wire) putSkin(part.wire.material as THREE.Material, skinned, part.uniforms, part.eight);
  }
}

export interface Frame {
  world: Float32Array; // 16 numbers a joint
  pose: Float32Array; // 10 numbers a joint
  morphs: Float32Array;
  palettes: Map<number, { rows: Float32Array; width: number; height: number }>; // by instance
}

export function showFrame(body: Body, frame: Frame, firstMorph: Map<number, number>): void {
  for (const part of body.parts) {
    const palette = frame.palettes.get(part.instance);
    if (palette) fillPalette(part.uniforms.sinew_palette.value, palette.rows, palette.width, palette.height);
    if (part.joint >= 0) part.mesh.matrix.fromArray(frame.world, part.joint * 16);
    part.mesh.matrixWorldNeedsUpdate = true;
    const first = firstMorph.get(part.instance);
    const influence = part.mesh.morphTargetInfluences;
    if (influence && first !== undefined) for (let m = 0; m < influence.length; m++) influence[m] = frame.morphs[first + m] ?? 0;
  }
}

// Vertices that the core deformed itself, for methods that have no shader.
export function showVertices(part: BodyPart, positions: Float32Array, normals: Float32Array): void {
  const geometry = part.mesh.geometry;
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  if (normals.length > 0) geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
}

export function showWire(body: Body, shown: boolean, colour: number): void {
  for (const part of body.parts) {
    if (shown && !part.wire) part.wire = wireOf(part);
    if (part.wire) {
      part.wire.visible = shown;
      (part.wire.material as THREE.LineBasicMaterial).color.set(colour);
    }
  }
}

// Edges as an index into the mesh's own vertices, so that the same shader moves them.
function wireOf(part: BodyPart): THREE.LineSegments {
  const index = part.mesh.geometry.getIndex();
  const corners = index ? index.count : part.mesh.geometry.getAttribute('position').count;
  const at = (i: number) => (index ? index.getX(i) : i);
  const edges = new Set<number>();
  const most = 2 ** 26; // vertices: two numbers of this size fit into one
  for (let i = 0; i + 2 < corners; i += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [at(i + k), at(i + ((k + 1) % 3))];
      edges.add(Math.min(a, b) * most + Math.max(a, b));
    }
  const geometry = part.mesh.geometry.clone();
  const pairs = new Uint32Array(edges.size * 2);
  let n = 0;
  for (const edge of edges) {
    pairs[n++] = Math.floor(edge / most);
    pairs[n++] = edge % most;
  }
  geometry.setIndex(new THREE.BufferAttribute(pairs, 1));
  const wire = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 }));
  wire.frustumCulled = false;
  part.mesh.add(wire);
  const skinned = part.mesh.material as THREE.Material;
  wire.material.onBeforeCompile = skinned.onBeforeCompile;
  wire.material.customProgramCacheKey = skinned.customProgramCacheKey;
  return wire;
}

export function disposeBody(body: Body): void {
  for (const part of body.parts) {
    part.mesh.geometry.dispose();
    const material = part.mesh.material as THREE.MeshStandardMaterial;
    for (const value of Object.values(material)) if (value instanceof THREE.Texture) value.dispose();
    material.dispose();
    part.wire?.geometry.dispose();
    part.uniforms.sinew_palette.value.dispose();
  }
  body.group.removeFromParent();
}
