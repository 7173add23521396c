// A moving WebP out of single ones: pictures that the browser encoded, put one after another into one container.
// https://developers.google.com/speed/webp/docs/riff_container
const pictureChunks = new Set(['ALPH', 'VP8 ', 'VP8L']);
const headerBytes = 12; // RIFF, size, WEBP
const chunkHead = 8; // name, size
const animated = 0x02;
const replaces = 0x02; // a frame is not blended with the one before

// The chunks of a still WebP that hold its picture, padded as they are.
export function pictureOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Uint8Array[] = [];
  for (let at = headerBytes; at + chunkHead <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const end = at + chunkHead + Math.ceil(view.getUint32(at + 4, true) / 2) * 2;
    if (pictureChunks.has(name)) found.push(bytes.subarray(at, end));
    at = end;
  }
  return joined(found);
}

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const little = (value: number, bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 0xff);
const chunk = (name: string, ...parts: Uint8Array[]) => {
  const body = joined(parts);
  return joined([Uint8Array.from(name, (c) => c.charCodeAt(0)), little(body.length, 4), body, new Uint8Array(body.length % 2)]);
};

// All frames have the size of the picture; each is shown for as many milliseconds, and it goes round for ever.
export function animatedWebp(frames: Uint8Array[], width: number, height: number, milliseconds: number): Uint8Array<ArrayBuffer> {
  const size = joined([little(width - 1, 3), little(height - 1, 3)]);
  const moving = frames.map((frame) => chunk('ANMF', little(0, 6), size, little(milliseconds, 3), little(replaces, 1), pictureOf(frame)));
  const head = chunk('VP8X', little(animated, 4), size);
  const loop = chunk('ANIM', little(0, 4), little(0, 2));
  const body = joined([Uint8Array.from('WEBP', (c) => c.charCodeAt(0)), head, loop, ...moving]);
  return joined([Uint8Array.from('RIFF', (c) => c.charCodeAt(0)), little(body.length, 4), body]);
}
