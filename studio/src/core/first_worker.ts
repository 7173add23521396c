// The first worker: started before the rest of the page is there, it loads and compiles the core meanwhile.
// Data flow: boot.ts → *here* → client.ts, which takes it over.

export interface FirstWorker {
  worker: Worker;
  failed: Promise<string>;  // where it cannot be loaded: why
}

export const firstName = 'first';  // by it the worker knows that nobody will give it the modules

// `base`: where sinew.wasm, pictures.wasm and worker.js are.
export function startFirst(base: URL): FirstWorker {
  const worker = new Worker(new URL('worker.js', base), { type: 'module', name: firstName });
  const failed = new Promise<string>((resolve) => worker.addEventListener('error', (event) => resolve(event.message ?? '')));
  return { worker, failed };
}

const place = globalThis as { sinewFirstWorker?: FirstWorker };
export function keepFirst(first: FirstWorker): void { place.sinewFirstWorker = first; }
export function takeFirst(base: URL): FirstWorker {
  const first = place.sinewFirstWorker ?? startFirst(base);
  delete place.sinewFirstWorker;
  return first;
}
