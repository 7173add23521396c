// Light from all around, as in a bright room: for the scene's `environment`.
import * as THREE from 'three';
import { prefiltered, type Level } from './prefilter.ts';
import { roomRadiance } from './room.ts';

const side = 32; // pixels; nothing here is a mirror
const blur = 0.04; // radians

function pictures(level: Level): THREE.DataTexture[] {
  return level.faces.map((face) => {
    const data = new Uint16Array(face.length * 4);
    face.forEach((value, p) => data.fill(THREE.DataUtils.toHalfFloat(value), 4 * p, 4 * p + 3));
    for (let p = 0; p < face.length; p++) data[4 * p + 3] = THREE.DataUtils.toHalfFloat(1);
    return new THREE.DataTexture(data, level.side, level.side, THREE.RGBAFormat, THREE.HalfFloatType);
  });
}

export function roomLight(): THREE.Texture {
  // Of cube maps that it did not draw itself three takes left for right: so does the direction here.
  const [sharp, ...rough] = prefiltered((x, y, z) => roomRadiance(-x, y, z), side, blur);
  const last = rough.at(-1)!;
  // three counts on as many levels below the first as there are in all, though it never looks at the last.
  const unused: Level = { side: last.side / 2, faces: last.faces.map(() => new Float32Array((last.side / 2) ** 2)) };
  const texture = new THREE.CubeTexture(pictures(sharp!) as unknown as HTMLImageElement[]);
  texture.mipmaps = [...rough, unused].map((level) => ({ image: pictures(level) })) as unknown as typeof texture.mipmaps;
  texture.format = THREE.RGBAFormat;
  texture.type = THREE.HalfFloatType;
  texture.colorSpace = THREE.LinearSRGBColorSpace;
  texture.generateMipmaps = false;
  texture.isPMREMTexture = true;
  texture.needsUpdate = true;
  return texture;
}
