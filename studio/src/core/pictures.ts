// Pictures for the core: an instance of pictures.wasm (src/web/pictures) for each, because a damaged one may end it.
// Data flow: encoded bytes in the core's memory → *here* → pixels in the core's memory.
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  picture_alloc(size: number): number;
  picture_decode(bytes: number, size: number): number;
  picture_width(): number;
  picture_height(): number;
  picture_pixels(): number;
}

export interface Picture {
  width: number;
  height: number;
  rgba: Uint8Array;
}

export function decodePicture(module: WebAssembly.Module, bytes: Uint8Array, imports: WebAssembly.ModuleImports): Picture | null {
  let exports: Exports | undefined;
  try {
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
    exports = instance.exports as unknown as Exports;
    exports._initialize();
    const place = exports.picture_alloc(bytes.length);
    if (place === 0) return null;
    new Uint8Array(exports.memory.buffer).set(bytes, place);
    if (!exports.picture_decode(place, bytes.length)) return null;
    const [width, height] = [exports.picture_width(), exports.picture_height()];
    return { width, height, rgba: new Uint8Array(exports.memory.buffer, exports.picture_pixels(), width * height * 4) };
  } catch {
    return null; // the decoder left by the only way that it has here
  }
}
