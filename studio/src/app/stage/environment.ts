// Light from all around, as in a bright room: for the scene's `environment`.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

const side = 64; // pixels

// three's own are at least 256 pixels wide, for mirrors. Nothing here is one, and without a graphics card those take seconds.
class SoftEnvironment extends THREE.PMREMGenerator {
  _cubeSize = side;
  _setSize(): void {
    this._cubeSize = side;
  }
}

export function roomLight(renderer: THREE.WebGLRenderer): THREE.Texture {
  const generator = new SoftEnvironment(renderer);
  const { texture } = generator.fromScene(new RoomEnvironment(), 0.04, 0.1, 100, { size: side });
  generator.dispose();
  return texture;
}
