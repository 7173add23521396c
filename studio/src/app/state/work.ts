// The work: everything that a person decided, as plain data. The core turns it into a character (state/maker.ts);
// undo, the kept copy, the work file and the command line are all made from it.

export type Vec3 = [number, number, number];

// A character to start from: one that the core makes by code, or an opened file.
export type Source = { sample: string } | { file: string };

export interface RigChoices {
  template: string; // auto, biped, quadruped, bird, dinosaur, dragon, generic
  up: string; // empty: found
  facing: string; // empty: found
  names: string; // empty: the library's own
  fingers: number | null; // null: as many as the mesh has
  twist: number;
  joints: Record<string, Vec3>; // joints that were put somewhere by hand, in the mesh's space
  again: boolean; // fit a new skeleton also where the file has one
}

export interface BindChoices {
  weights: string;
  influences: number | null;
}

export interface MotionChoice {
  name: string; // a built-in motion, or a file's name
  clip: string; // which clip of a file; empty: the first
  feet: 'lock' | 'free';
  mirror: boolean;
  inPlace: boolean;
  cloth: boolean; // skirts and capes hang and swing
  map: Record<string, string>; // the motion's joint → the character's; empty: found
}

// A change made by hand on the finished character: an operation of the core, or strokes of the brush. The page keeps
// it and repeats it; `id` tells it from all others.
export interface Edit {
  id: string;
  op: string;
  label: string;
  args: Record<string, unknown>;
}

export interface Work {
  source: Source;
  rig: RigChoices;
  bind: BindChoices;
  skinning: string;
  motions: MotionChoice[];
  edits: Edit[];
}

export const defaultRig: RigChoices = {
  template: 'auto',
  up: '',
  facing: '',
  names: '',
  fingers: null,
  twist: 0,
  joints: {},
  again: false,
};

export function motionNamed(name: string): MotionChoice {
  return { name, clip: '', feet: 'lock', mirror: false, inPlace: false, cloth: false, map: {} };
}

export function newWork(source: Source, motions: MotionChoice[]): Work {
  return { source, rig: defaultRig, bind: { weights: 'auto', influences: null }, skinning: 'lbs', motions, edits: [] };
}

export function withRig(work: Work, change: Partial<RigChoices>): Work {
  return { ...work, rig: { ...work.rig, ...change } };
}
export function withBind(work: Work, change: Partial<BindChoices>): Work {
  return { ...work, bind: { ...work.bind, ...change } };
}
export function withMotion(work: Work, index: number, change: Partial<MotionChoice>): Work {
  return { ...work, motions: work.motions.map((m, i) => (i === index ? { ...m, ...change } : m)) };
}

// A file with a skeleton, or with clips of its own and no motion put on it, is shown as it is.
export function keepsFile(base: { rigged: boolean; info: { clips: unknown[] } }, work: Work): boolean {
  return !work.rig.again && (base.rigged || (base.info.clips.length > 0 && work.motions.length === 0));
}

export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((text, n) => text + n.toString(36), '');
}
export function withEdit(work: Work, op: string, label: string, args: Record<string, unknown>): Work {
  return { ...work, edits: [...work.edits, { id: newId(), op, label, args }] };
}

// The opposite joint of a pair, by what the names of all schemes have in common; null for joints of the middle.
const sides: [RegExp, string][] = [
  [/^left/, 'right'], [/^right/, 'left'], [/Left/, 'Right'], [/Right/, 'Left'],
  [/_l$/, '_r'], [/_r$/, '_l'], [/_l_/, '_r_'], [/_r_/, '_l_'], [/\.L$/, '.R'], [/\.R$/, '.L'],
];
export function otherSide(joint: string): string | null {
  for (const [side, other] of sides) if (side.test(joint)) return joint.replace(side, other);
  return null;
}

// Motions that are put on with the same choices go to the core together.
export function motionGroups(motions: MotionChoice[]): MotionChoice[][] {
  const groups: MotionChoice[][] = [];
  let last = '';
  for (const motion of motions) {
    const key = JSON.stringify({ ...motion, name: '' });
    if (key === last) groups.at(-1)!.push(motion);
    else groups.push([motion]);
    last = key;
  }
  return groups;
}
