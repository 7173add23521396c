// The core, as the page sees it: asynchronous calls by name, typed by api.ts. Calls run one after another in a worker.
// Before a call that may take long the worker's memory is copied. Where that call is cancelled, or ends the core (out of
// memory, a bug), another worker begins with the copy: documents keep their numbers and what they held.
import { longOperations, type Operations } from './api.ts';
import { takeFirst } from './first_worker.ts';
import type { Modules } from './instance.ts';
import type { FromWorker, ToWorker } from './worker.ts';

export type Name = keyof Operations;

export class CoreError extends Error {
  constructor(readonly code: string, message: string, readonly where: string, readonly text: string) {
    super(text);
    this.name = 'CoreError';
    this.reason = message;
  }
  readonly reason: string;  // the message without where
}

export interface CallOptions {
  progress?: (stage: string, fraction: number) => void;
  signal?: AbortSignal;
  transfer?: boolean;  // arrays in the arguments are given away, not copied
}

interface Waiting {
  id: number;
  operation: Name;
  args: object;
  options: CallOptions;
  resolve: (result: object) => void;
  reject: (error: CoreError) => void;
}

const cancelled = (): CoreError => new CoreError('cancelled', 'the work was cancelled', '', 'the work was cancelled');
const crashed = (message: string): CoreError => {
  const text = 'the core ran out of memory or met an error in itself; it was started again, and your work is as it was before';
  return new CoreError('crashed', text, message, text);
};

function arraysIn(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.push(value.buffer as ArrayBuffer);
  else if (value !== null && typeof value === 'object') for (const entry of Object.values(value)) arraysIn(entry, found);
  return found;
}

export class Core {
  onrestart: ((why: 'cancelled' | 'crashed') => void) | null = null;
  private worker: Worker | undefined;
  private queue: Waiting[] = [];
  private current: Waiting | undefined;
  private memory: ArrayBuffer | undefined;  // from before the last call that may take long
  private last = 0;

  private modules: Modules | undefined;
  readonly ready: Promise<void>;  // rejected where the core cannot be loaded
  private readonly workerUrl: URL;

  // `base`: where sinew.wasm, pictures.wasm and worker.js are. Calls wait until the core is there.
  constructor(options: { base: URL }) {
    this.workerUrl = new URL('worker.js', options.base);
    const { worker, failed } = takeFirst(options.base);
    const late = failed.then((message) => Promise.reject(crashed(message)));
    this.ready = Promise.race([this.begin(worker), late]).then(() => this.next());
  }

  call<K extends Name>(operation: K, args: Operations[K]['args'], options: CallOptions = {}): Promise<Operations[K]['result']> {
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) return reject(cancelled());
      const waiting: Waiting = { id: ++this.last, operation, args, options, resolve: resolve as (result: object) => void, reject };
      options.signal?.addEventListener('abort', () => this.cancel(waiting), { once: true });
      this.queue.push(waiting);
      this.next();
    });
  }

  // Code that runs for the first time is compiled first. A worker beside the other one does a whole job once, as soon as a
  // person seems to want one: compiled code is shared by all workers of a page.
  warmUp(): void {
    if (this.warmed || !this.modules) return;
    this.warmed = true;
    const worker = new Worker(this.workerUrl, { type: 'module' });
    this.warming = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
      if (data.kind === 'result' || data.kind === 'crashed') return this.endWarmUp();
      const call: ToWorker = { kind: 'call', id: 0, operation: 'warm_up', args: {}, keep: false };
      if (data.kind === 'started') worker.postMessage(call);
    };
    const start: ToWorker = { kind: 'start', modules: this.modules };
    worker.postMessage(start);
  }
  endWarmUp(): void {
    this.warming?.terminate();
    this.warming = undefined;
  }
  private warmed = false;
  private warming: Worker | undefined;

  // Ends the worker for good.
  end(): void { this.worker?.terminate(); }

  private begin(worker = new Worker(this.workerUrl, { type: 'module' })): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
        if (data.kind === 'unloadable') return reject(new CoreError('not_found', data.message, '', data.message));
        if (data.kind !== 'started') return this.take(data);
        this.worker = worker;
        this.modules = data.modules;
        resolve();
      };
      worker.onerror = (event): void => {
        reject(crashed(event.message));
        this.replace('crashed', event.message);
      };
      const start: ToWorker = { kind: 'start', ...(this.modules ? { modules: this.modules } : {}), ...(this.memory ? { memory: this.memory } : {}) };
      worker.postMessage(start);  // copied: it may be needed once more
    });
  }

  private next(): void {
    if (!this.worker || this.current || this.queue.length === 0) return;
    const call = this.queue.shift()!;
    this.current = call;
    const message: ToWorker = {
      kind: 'call', id: call.id, operation: call.operation, args: call.args, keep: longOperations.has(call.operation),
    };
    this.worker!.postMessage(message, call.options.transfer ? arraysIn(call.args) : []);
  }

  private take(message: FromWorker): void {
    if (message.kind === 'kept') {
      this.memory = message.memory;
      return;
    }
    const call = this.current;
    if (!call || message.kind === 'started' || message.kind === 'unloadable' || message.id !== call.id) return;
    if (message.kind === 'progress') return call.options.progress?.(message.stage, message.fraction);
    if (message.kind === 'crashed') return this.replace('crashed', message.message);
    this.current = undefined;
    if (message.kind === 'result') call.resolve(message.result);
    else call.reject(new CoreError(message.failure.code, message.failure.message, message.failure.where, message.failure.text));
    this.next();
  }

  private cancel(call: Waiting): void {
    if (this.current === call) {
      if (longOperations.has(call.operation)) this.replace('cancelled', '');
      return;  // others are done in a moment
    }
    const place = this.queue.indexOf(call);
    if (place < 0) return;
    this.queue.splice(place, 1);
    call.reject(cancelled());
  }

  // Another worker, with the memory of before. Calls that wait go on there.
  private replace(why: 'cancelled' | 'crashed', message: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    const call = this.current;
    this.current = undefined;
    void this.begin().then(() => {
      call?.reject(why === 'cancelled' ? cancelled() : crashed(message));
      this.onrestart?.(why);
      this.next();
    });
  }
}
