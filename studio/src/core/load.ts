// The core's modules, fetched and compiled.
import type { Modules } from './instance.ts';

async function compiled(address: URL): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(address)).catch(async () => {
    // A host that does not say application/wasm.
    const again = await fetch(address);
    if (!again.ok) throw new Error(`${address.pathname.split('/').at(-1)} cannot be loaded: ${again.status}`);
    return WebAssembly.compile(await again.arrayBuffer());
  });
}

export async function loadModules(base: URL): Promise<Modules> {
  const [core, pictures] = await Promise.all([
    compiled(new URL('sinew.wasm', base)),
    WebAssembly.compileStreaming(fetch(new URL('pictures.wasm', base))).catch(() => undefined),
  ]);
  return { core, ...(pictures ? { pictures } : {}) };
}
