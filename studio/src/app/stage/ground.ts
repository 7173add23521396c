// The floor: a disc with fine lines that fades into the background, and takes the shadow.
import * as THREE from 'three';

export interface Ground {
  group: THREE.Group;
  setSize(size: number): void;
  setColours(ground: number, line: number, back: number): void;
}

const fragment = /* glsl */ `
  #include <common>
  #include <packing>
  #include <lights_pars_begin>
  #include <shadowmap_pars_fragment>
  #include <shadowmask_pars_fragment>
  uniform vec3 ground, line, back;
  uniform float unit;
  varying vec3 place;
  varying vec2 fromCentre;
  float lines(vec2 p, float width) {
    vec2 edge = abs(fract(p - 0.5) - 0.5) / fwidth(p);
    return 1.0 - smoothstep(width - 0.5, width + 0.5, min(edge.x, edge.y));
  }
  void main() {
    float away = length(fromCentre);
    float fade = 1.0 - smoothstep(0.25, 1.0, away);
    float grid = max(lines(place.xz / unit, 0.6) * 0.55, lines(place.xz / (unit * 5.0), 0.9));
    vec3 colour = mix(ground, line, grid * 0.7);
    colour *= mix(0.55, 1.0, getShadowMask());
    gl_FragColor = vec4(mix(back, colour, fade), 1.0);
    #include <colorspace_fragment>
  }`;

const vertex = /* glsl */ `
  #include <common>
  #include <shadowmap_pars_vertex>
  varying vec3 place;
  varying vec2 fromCentre;
  void main() {
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <project_vertex>
    #include <worldpos_vertex>
    #include <shadowmap_vertex>
    place = (modelMatrix * vec4(transformed, 1.0)).xyz; // worldPosition is there only while there are shadows
    fromCentre = position.xz;
  }`;

export function createGround(): Ground {
  const material = new THREE.ShaderMaterial({
    lights: true,
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: THREE.UniformsUtils.merge([
      THREE.UniformsLib.lights,
      {
        ground: { value: new THREE.Color() },
        line: { value: new THREE.Color() },
        back: { value: new THREE.Color() },
        unit: { value: 0.2 },
      },
    ]),
  });
  const disc = new THREE.Mesh(new THREE.CircleGeometry(1, 64).rotateX(-Math.PI / 2), material);
  disc.receiveShadow = true;
  const group = new THREE.Group();
  group.add(disc);
  return {
    group,
    setSize(size) {
      disc.scale.setScalar(size * 6);
      // Lines at a round distance of about a tenth of the body.
      material.uniforms['unit']!.value = 10 ** Math.round(Math.log10(size / 10)) * 2;
    },
    setColours(ground, line, back) {
      material.uniforms['ground']!.value.set(ground);
      material.uniforms['line']!.value.set(line);
      material.uniforms['back']!.value.set(back);
    },
  };
}
