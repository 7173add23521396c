// From the work to a character: the core's operations in the order in which a person would run the verbs.
// Data flow: Work → open → animate (or rig) → edits by hand → Made. Every step is kept as a document of the core under
// the choices that made it, so that undo, and a change late in the chain, do no work twice.
import { CoreError, type Core } from '../../core/client.ts';
import type { MotionChoices, RigChoices as CoreRigChoices, State } from '../../core/api.ts';
import { keepsFile, motionGroups, type Edit, type MotionChoice, type Work } from './work.ts';
import { fileNames, putFiles, putNamed } from './files.ts';
import { openPrepared, openSampleDocument } from './samples.ts';

export interface Made {
  base: number; // the document as it was opened
  document: number; // the finished character
  state: State;
  baseState: State;
  bodyKey: string; // changes when other meshes or another skeleton have to be drawn
  skinKey: string; // changes when weights changed
  report: any; // of animate or rig; null where nothing was fitted
}

interface Kept {
  document: number;
  state: State;
  report: any;
}

export interface Watching {
  progress: (stage: string, fraction: number) => void;
  signal: AbortSignal;
}

const mostKept = 80; // documents share what is alike, so that many are cheap

const weightOps = new Set(['paint', 'set_weights', 'edit_weights', 'set_bone_curve', 'bind']);

export class Maker {
  private kept = new Map<string, Kept>();
  private readonly core: Core;
  constructor(core: Core) {
    this.core = core;
  }

  // `whole`: nothing of it is taken from a file that was prepared.
  async make(work: Work, watching: Watching, whole = false): Promise<Made> {
    const baseKey = JSON.stringify(work.source);
    const base = await this.step(baseKey, () => this.open(work, watching));
    const builtKey = `${whole ? 'whole' : ''}${JSON.stringify([work.source, work.rig, work.bind, work.motions])}`;
    const built = await this.step(builtKey, async () => (whole ? null : await openPrepared(this.core, work)) ?? this.build(base, work, watching));
    let last = built;
    let key = builtKey;
    let skinKey = builtKey;
    for (const edit of work.edits) {
      key += `|${edit.id}`;
      if (weightOps.has(edit.op)) skinKey = key;
      const before = last;
      last = await this.step(key, () => this.edit(before, edit, watching));
    }
    this.forgetOld();
    return { base: base.document, baseState: base.state, document: last.document, state: last.state, bodyKey: builtKey, skinKey, report: built.report };
  }

  // After the core was replaced by a new one that knows nothing.
  forgetAll(): void {
    this.kept.clear();
  }

  private async step(key: string, make: () => Promise<Kept>): Promise<Kept> {
    const known = this.kept.get(key);
    const kept = known ?? (await make());
    this.kept.delete(key); // the newest goes last
    this.kept.set(key, kept);
    return kept;
  }

  private forgetOld(): void {
    for (const [key, old] of this.kept) {
      if (this.kept.size <= mostKept) return;
      this.kept.delete(key);
      void this.core.call('close', { id: old.document });
    }
  }

  private async open(work: Work, watching: Watching): Promise<Kept> {
    if ('sample' in work.source) {
      const { id, state } = await openSampleDocument(this.core, work.source.sample);
      return { document: id, state, report: null };
    }
    await putFiles(this.core, [work.source.file]);
    const { id, state } = await this.core.call('open', { file: fileNames.get(work.source.file) ?? '' }, watching);
    return { document: id, state, report: null };
  }

  private async copied(from: Kept, change: (id: number) => Promise<{ state?: State; report?: any }>): Promise<Kept> {
    const { id } = await this.core.call('copy', { id: from.document });
    try {
      const result = await change(id);
      return { document: id, state: result.state ?? (await this.core.call('state', { id })).state, report: result.report ?? null };
    } catch (error) {
      // Where the core was replaced, it may give this number to the next document: the copy is left then, which costs nothing.
      const replaced = error instanceof CoreError && ['cancelled', 'crashed'].includes(error.code);
      if (!replaced) void this.core.call('close', { id });
      throw error;
    }
  }

  private build(base: Kept, work: Work, watching: Watching): Promise<Kept> {
    return this.copied(base, async (id) => {
      const groups = motionGroups(work.motions);
      const rig = rigArguments(work);
      let report: any = null;
      let put: any[] = []; // what became of each motion, in the order of the work
      let state: State | undefined;
      const fitFirst = (work.rig.again && base.state.rigged) || (groups.length === 0 && !keepsFile(base.state, work));
      if (fitFirst) ({ report, state } = await this.core.call('rig', { id, rig, upright: true }, watching));
      for (const group of groups.reverse()) {
        const motions = group.map((m) => m.name);
        await putNamed(this.core, motions);
        const motion = motionArguments(group[0]!);
        const cloth = group[0]!.cloth ? { cloth: 'auto' } : {};
        const done = await this.core.call('animate', { id, motions, motion, ...cloth, ...(state ? {} : { rig }) }, watching);
        put = [...done.motions, ...put];
        report = { ...done.report, ...report, motions: put };
        state = done.state;
      }
      return { report, ...(state ? { state } : {}) };
    });
  }

  private edit(before: Kept, edit: Edit, watching: Watching): Promise<Kept> {
    return this.copied(before, (id) => (edit.op === 'paint' ? this.paint(id, edit.args) : this.core.call(edit.op as 'edit_clips', { ...edit.args, id }, watching)));
  }

  private async paint(id: number, args: Record<string, unknown>): Promise<{ state?: State }> {
    const { painter } = await this.core.call('paint_begin', { id });
    const dabs = args['dabs'] as Record<string, any>[];
    for (const dab of dabs) await this.core.call('paint', { painter, ...dab } as any);
    return this.core.call('paint_end', { painter, keep: true });
  }
}

export function rigArguments(work: Work): CoreRigChoices {
  const { rig, bind } = work;
  const choices: CoreRigChoices = {};
  if (rig.template !== 'auto') choices.template = rig.template;
  if (rig.names) choices.names = rig.names as 'vrm';
  if (rig.up) choices.up = rig.up;
  if (rig.facing) choices.facing = rig.facing;
  if (rig.fingers !== null) choices.fingers = rig.fingers;
  if (rig.twist > 0) choices.twist = rig.twist;
  if (Object.keys(rig.joints).length > 0) choices.joints = Object.entries(rig.joints).map(([joint, position]) => ({ joint, position }));
  if (bind.weights !== 'auto') choices.weights = bind.weights;
  if (bind.influences !== null) choices.influences = bind.influences;
  return choices;
}

function motionArguments(motion: MotionChoice): MotionChoices {
  const choices: MotionChoices = {};
  if (motion.clip) choices.clip = motion.clip;
  if (motion.feet === 'free') choices.lock_feet = false;
  if (motion.mirror) choices.mirror = true;
  if (motion.inPlace) choices.in_place_root = true;
  if (Object.keys(motion.map).length > 0) choices.map = motion.map;
  return choices;
}
