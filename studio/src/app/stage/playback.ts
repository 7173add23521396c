// Frames from the core: one at a time, always for the newest moment that was asked for.
// Data flow: clock, layers or a pose by hand → core player → palettes and matrices → body.
import type { Core } from '../../core/client.ts';
import type { Layer } from '../../core/api.ts';
import type { Frame } from './body.ts';

export interface Wanted {
  layers: Layer[];
  pose: Float32Array | null; // a pose by hand, instead of the layers
  morphs: Float32Array | null; // weights by hand, instead of the clip's
}

const gpuMethods = new Map([
  ['lbs', { glsl: 'lbs', kind: 'matrices' }],
  ['dqs', { glsl: 'stretched-dqs', kind: 'stretched_dual_quaternions' }],
] as const);

export function gpuMethod(skinning: string) {
  return gpuMethods.get(skinning as 'lbs') ?? null;
}

export class Playback {
  private player: number | null = null;
  instances: number[] = []; // those that are skinned
  private skinning = 'lbs';
  private running: Promise<void> | null = null;
  private wanted: Wanted | null = null;
  private stopped = false;
  onFrame: ((frame: Frame) => void) | null = null;
  onError: ((error: unknown) => void) | null = null;
  lastMilliseconds = 0;

  private readonly core: Core;
  readonly document: number;
  private constructor(core: Core, document: number) {
    this.core = core;
    this.document = document;
  }

  static async begin(core: Core, document: number, skinning: string): Promise<Playback> {
    const playback = new Playback(core, document);
    playback.skinning = skinning;
    playback.player = (await core.call('player_begin', { id: document, skinning })).player;
    return playback;
  }

  end(): void {
    this.stopped = true;
    if (this.player !== null) void this.core.call('player_end', { player: this.player }).catch(() => undefined);
    this.player = null;
  }

  // Resolves when nothing newer is wanted.
  ask(wanted: Wanted): Promise<void> {
    if (this.player === null) return Promise.resolve();
    this.wanted = wanted;
    return (this.running ??= this.run());
  }

  private async run(): Promise<void> {
    try {
      while (this.wanted && this.player !== null) {
        const wanted = this.wanted;
        this.wanted = null;
        const frame = await this.frame(wanted);
        if (this.stopped) return;
        this.onFrame?.(frame);
      }
    } catch (error) {
      if (!this.stopped) this.onError?.(error);
    } finally {
      this.running = null; // at once: what is asked for from now on needs another run
    }
  }

  async frame(wanted: Wanted): Promise<Frame> {
    const start = performance.now();
    const method = gpuMethod(this.skinning);
    const player = this.player!;
    const first = this.core.call('player_frame', { player, layers: wanted.layers, ...(wanted.pose ? { pose: wanted.pose } : {}) });
    const rows = method ? this.instances.map((instance) => this.core.call('player_palette', { player, instance, kind: method.kind })) : [];
    const { pose, world, morphs } = await first;
    const palettes = new Map<number, { rows: Float32Array; width: number; height: number }>();
    const answers = await Promise.all(rows);
    answers.forEach((answer, i) => palettes.set(this.instances[i]!, answer));
    this.lastMilliseconds = performance.now() - start;
    return { pose, world, morphs: wanted.morphs ?? morphs, palettes };
  }
}
