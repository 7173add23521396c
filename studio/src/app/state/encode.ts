// Work as text: JSON, with arrays of numbers as { "f32": base64 }.
const kinds = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };
type Kind = keyof typeof kinds;

function toText(bytes: Uint8Array): string {
  let text = '';
  const piece = 0x8000; // arguments that a call takes
  for (let i = 0; i < bytes.length; i += piece) text += String.fromCharCode(...bytes.subarray(i, i + piece));
  return btoa(text);
}
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function encodeWork(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => {
    for (const [kind, type] of Object.entries(kinds))
      if (v instanceof type) return { [kind]: toText(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)) };
    return v;
  });
}
export function decodeWork(text: string): any {
  return JSON.parse(text, (_, v: unknown) => {
    if (typeof v !== 'object' || v === null) return v;
    const [entry, second] = Object.entries(v);
    if (!entry || second || !(entry[0] in kinds) || typeof entry[1] !== 'string') return v;
    return new kinds[entry[0] as Kind](toBytes(entry[1]).buffer);
  });
}
