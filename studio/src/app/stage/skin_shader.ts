// Materials that skin with the library's own GLSL: three's skinning is taken out, Sinew's goes in.
// Data flow: core `glsl` → *here* → every material of a skinned mesh; palettes arrive as a float texture.
import * as THREE from 'three';

export interface Glsl {
  name: string; // lbs or stretched-dqs
  palette: string;
  method: string;
}

export interface SkinUniforms {
  sinew_palette: { value: THREE.DataTexture };
  heatShown: { value: number };
}

const attributes = /* glsl */ `
attribute vec4 joints0; attribute vec4 weights0;
#ifdef SINEW_EIGHT
attribute vec4 joints1; attribute vec4 weights1;
#endif
SinewVertex skinned(vec3 position, vec3 normal) {
  SinewVertex v = SinewVertex(position, normal, vec4(1.0, 0.0, 0.0, 1.0));
#ifdef SINEW_EIGHT
  return sinew_skin(v, uvec4(joints0), weights0, uvec4(joints1), weights1);
#else
  return sinew_skin(v, uvec4(joints0), weights0);
#endif
}`;

// Position and normal at once, unless morph targets move the position in between.
const skinnedNormal = /* glsl */ `
#ifdef USE_MORPHTARGETS
objectNormal = skinned(position, objectNormal).normal;
#else
#define SINEW_BOTH
SinewVertex sinewBoth = skinned(position, objectNormal);
objectNormal = sinewBoth.normal;
#endif
`;
const skinnedPosition = /* glsl */ `
#ifdef SINEW_BOTH
transformed = sinewBoth.position;
#else
transformed = skinned(transformed, vec3(0.0, 0.0, 1.0)).position;
#endif
`;

// Weights from nothing to one: deep blue, green, yellow, red, as sculptors know them.
const heatRamp = /* glsl */ `
varying float heatValue;
uniform float heatShown;
vec3 heatColour(float w) {
  vec3 c = mix(vec3(0.03, 0.05, 0.32), vec3(0.0, 0.42, 0.72), smoothstep(0.0, 0.25, w));
  c = mix(c, vec3(0.12, 0.62, 0.16), smoothstep(0.25, 0.5, w));
  c = mix(c, vec3(0.95, 0.72, 0.03), smoothstep(0.5, 0.75, w));
  return mix(c, vec3(0.86, 0.08, 0.04), smoothstep(0.75, 1.0, w));
}`;

// `skinned`: the mesh follows joints; else only the heat map is put in.
export function putSkin(material: THREE.Material, glsl: Glsl | null, uniforms: SkinUniforms, eight: boolean): void {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const define = eight ? '#define SINEW_EIGHT\n' : '';
    const functions = glsl ? `${define}${glsl.palette}\n${glsl.method}\n${attributes}` : '';
    let vertex = shader.vertexShader
      .replace('#include <common>', `#include <common>\nattribute float heat;\nvarying float heatValue;\n${functions}`)
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nheatValue = heat;');
    if (glsl)
      vertex = vertex
        .replace('#include <skinnormal_vertex>', skinnedNormal)
        .replace('#include <skinning_vertex>', skinnedPosition);
    shader.vertexShader = vertex;
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${heatRamp}`)
      .replace('#include <map_fragment>', '#include <map_fragment>\nif (heatShown > 0.5) diffuseColor.rgb = heatColour(heatValue);')
      .replace('#include <metalnessmap_fragment>', '#include <metalnessmap_fragment>\nif (heatShown > 0.5) { metalnessFactor = 0.0; roughnessFactor = 0.8; }');
  };
  material.customProgramCacheKey = () => `sinew ${glsl?.name ?? 'rigid'} ${eight}`;
  material.needsUpdate = true;
}

export function paletteTexture(): THREE.DataTexture {
  const texture = new THREE.DataTexture(new Float32Array(4), 1, 1, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

export function fillPalette(texture: THREE.DataTexture, rows: Float32Array, width: number, height: number): void {
  const image = texture.image as { data: Float32Array; width: number; height: number };
  if (image.width !== width || image.height !== height) texture.dispose();
  texture.image = { data: rows as Float32Array<ArrayBuffer>, width, height };
  texture.needsUpdate = true;
}
