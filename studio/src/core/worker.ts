// The worker that the core runs in. It takes calls one after another; client.ts is the other end.
import { firstName } from './first_worker.ts';
import { Instance, OperationError, type Modules } from './instance.ts';
import { loadModules } from './load.ts';

// A worker that starts without modules loads them itself; only the first one does.
export type ToWorker =
  | { kind: 'start'; modules?: Modules; memory?: ArrayBuffer }
  | { kind: 'call'; id: number; operation: string; args: object; keep: boolean };
export type FromWorker =
  | { kind: 'started'; modules: Modules }
  | { kind: 'unloadable'; message: string }
  | { kind: 'kept'; memory: ArrayBuffer }
  | { kind: 'progress'; id: number; stage: string; fraction: number }
  | { kind: 'result'; id: number; result: object }
  | { kind: 'refused'; id: number; failure: { code: string; message: string; where: string; text: string } }
  | { kind: 'crashed'; id: number; message: string };

const post = self.postMessage.bind(self) as (message: FromWorker, options?: StructuredSerializeOptions) => void;
let instance: Instance | undefined;
let running = 0;
let shown = 0;
const progressMilliseconds = 30;

function showProgress(stage: string, fraction: number): void {
  const now = performance.now();
  if (now - shown < progressMilliseconds && fraction > 0 && fraction < 1) return;
  shown = now;
  post({ kind: 'progress', id: running, stage, fraction });
}

function arraysIn(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.push(value.buffer as ArrayBuffer);
  else if (value !== null && typeof value === 'object') for (const entry of Object.values(value)) arraysIn(entry, found);
  return found;
}

function run(id: number, operation: string, args: object, keep: boolean): void {
  running = id;
  // A copy of everything, kept by the page: if this call is cancelled or ends the instance, the next worker begins there.
  if (keep) {
    const memory = instance!.snapshot();
    post({ kind: 'kept', memory }, { transfer: [memory] });
  }
  try {
    const result = instance!.call(operation, args);
    post({ kind: 'result', id, result }, { transfer: arraysIn(result) });
  } catch (error) {
    if (error instanceof OperationError) post({ kind: 'refused', id, failure: error.failure });
    else post({ kind: 'crashed', id, message: String(error) });
  }
}

const loading = self.name === firstName ? loadModules(new URL('.', self.location.href)) : undefined;
loading?.catch(() => undefined); // said when it is asked for

async function start(given: Modules | undefined, memory: ArrayBuffer | undefined): Promise<void> {
  try {
    const modules = given ?? (await loading!);
    instance = Instance.create(modules, showProgress, memory);
    post({ kind: 'started', modules });
  } catch (error) {
    post({ kind: 'unloadable', message: error instanceof Error ? error.message : String(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === 'call') run(data.id, data.operation, data.args, data.keep);
  else void start(data.modules, data.memory);
};
