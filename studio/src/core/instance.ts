// One instance of the core: calls by name, with typed arrays in and out. Used by the worker, and by the tests in node.
// Data flow: worker.ts → *here* → sinew.wasm (src/web/abi.cpp says how requests and replies lie in memory).
import { decodePicture, type Picture } from './pictures.ts';
import { wasiImports } from './wasi.ts';

export interface Failure { code: string; message: string; where: string; text: string }

// An operation that says no, as against one that ends the instance.
export class OperationError extends Error {
  constructor(readonly failure: Failure) { super(failure.text); }
}

export type Progress = (stage: string, fraction: number) => void;

// The two modules; where pictures cannot be decoded, maps of FBX and OBJ files that glTF has in one picture are left out.
export interface Modules { core: WebAssembly.Module; pictures?: WebAssembly.Module }

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  sinew_alloc(size: number): number;
  sinew_free(place: number): void;
  sinew_call(request: number): number;
  sinew_done(): void;
}

const pageBytes = 65536;
const align = (place: number): number => Math.ceil(place / 8) * 8;

// Typed arrays out of the arguments, each replaced by its number.
function takeArrays(value: unknown, arrays: Uint8Array[]): unknown {
  if (ArrayBuffer.isView(value)) {
    arrays.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    return { $blob: arrays.length - 1 };
  }
  if (Array.isArray(value)) return value.map((entry) => takeArrays(entry, arrays));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, takeArrays(entry, arrays)]));
}

// The way back.
function putArrays(value: unknown, arrays: Uint8Array[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => putArrays(entry, arrays));
  if (value === null || typeof value !== 'object') return value;
  const { $blob, type } = value as { $blob?: number; type?: string };
  if ($blob !== undefined) {
    const bytes = arrays[$blob]!;
    if (type === 'f32') return new Float32Array(bytes.buffer);
    return type === 'u32' ? new Uint32Array(bytes.buffer) : bytes;
  }
  for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = putArrays((value as Record<string, unknown>)[key], arrays);
  return value;
}

export class Instance {
  private constructor(private readonly exports: Exports) {}

  // `memory`: that of an earlier instance, as `snapshot` gave it: everything that was open then is open now.
  static create(modules: Modules, progress: Progress, memory?: ArrayBuffer): Instance {
    let exports: Exports | undefined;
    const buffer = (): ArrayBuffer => exports!.memory.buffer;
    let picture: Picture | null = null;
    const sinew = {
      decode_picture: (bytes: number, length: number, size: number): number => {
        const encoded = new Uint8Array(buffer(), bytes, length);
        picture = modules.pictures ? decodePicture(modules.pictures, encoded, wasiImports(() => new ArrayBuffer(0))) : null;
        if (!picture) return 0;
        new Int32Array(buffer(), size, 2).set([picture.width, picture.height]);
        return 1;
      },
      take_pixels: (rgba: number): void => {
        new Uint8Array(buffer()).set(picture!.rgba, rgba);
        picture = null;
      },
      progress: (stage: number, length: number, fraction: number): void =>
        progress(new TextDecoder().decode(new Uint8Array(buffer(), stage, length)), fraction),
    };
    const instance = new WebAssembly.Instance(modules.core, { wasi_snapshot_preview1: wasiImports(buffer), sinew });
    exports = instance.exports as unknown as Exports;
    if (!memory) exports._initialize();
    else {
      exports.memory.grow((memory.byteLength - exports.memory.buffer.byteLength) / pageBytes);
      new Uint8Array(exports.memory.buffer).set(new Uint8Array(memory));
    }
    return new Instance(exports);
  }

  get byteLength(): number { return this.exports.memory.buffer.byteLength; }

  snapshot(): ArrayBuffer { return this.exports.memory.buffer.slice(0); }

  call(operation: string, args: object): object {
    const request = this.writeRequest(operation, args);
    const reply = this.exports.sinew_call(request);
    this.exports.sinew_free(request);
    const result = this.readReply(reply);
    this.exports.sinew_done();
    return result;
  }

  private writeRequest(operation: string, args: object): number {
    const arrays: Uint8Array[] = [];
    const text = new TextEncoder();
    const json = takeArrays(args, arrays);
    const parts = [text.encode(operation), text.encode(JSON.stringify(json)), ...arrays];
    const numbers = [parts[0]!.length, parts[1]!.length, arrays.length, ...arrays.map((array) => array.length)];
    let size = numbers.length * 4;
    const places = parts.map((part) => {
      const place = align(size);
      size = place + part.length;
      return place;
    });
    const request = this.exports.sinew_alloc(size);
    if (request === 0) throw new WebAssembly.RuntimeError('out of memory');
    const memory = this.exports.memory.buffer;
    new Uint32Array(memory, request, numbers.length).set(numbers);
    parts.forEach((part, i) => new Uint8Array(memory).set(part, request + places[i]!));
    return request;
  }

  private readReply(reply: number): object {
    const memory = this.exports.memory.buffer;
    const [ok, json, jsonLength, count] = new Uint32Array(memory, reply, 4) as unknown as [number, number, number, number];
    const places = new Uint32Array(memory, reply + 16, 2 * count);
    const value = JSON.parse(new TextDecoder().decode(new Uint8Array(memory, json, jsonLength))) as object;
    if (!ok) {
      this.exports.sinew_done();
      throw new OperationError(value as Failure);
    }
    const arrays = Array.from({ length: count }, (_, i) => new Uint8Array(memory.slice(places[2 * i]!, places[2 * i]! + places[2 * i + 1]!)));
    return putArrays(value, arrays) as object;
  }
}
