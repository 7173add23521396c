// What was chosen in the page, as the commands that do the same.
import { motionGroups, type MotionChoice, type Work } from './work.ts';

const safe = /^[A-Za-z0-9_./:=,+@%-]+$/;

export function quoted(word: string): string {
  return safe.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

function rigWords({ rig, bind }: Work): string[] {
  const words: string[] = [];
  if (rig.template !== 'auto') words.push('--template', rig.template);
  if (rig.up) words.push(`--up=${rig.up}`);
  if (rig.facing) words.push(`--facing=${rig.facing}`);
  if (rig.names) words.push('--names', rig.names);
  if (rig.fingers !== null) words.push('--fingers', String(rig.fingers));
  if (rig.twist > 0) words.push('--twist', String(rig.twist));
  for (const [joint, p] of Object.entries(rig.joints)) words.push('--joint', `${joint}=${p.join(',')}`);
  if (bind.weights !== 'auto') words.push('--weights', bind.weights);
  if (bind.influences !== null) words.push('--influences', String(bind.influences));
  return words;
}

function motionWords(motion: MotionChoice): string[] {
  const words: string[] = [];
  if (motion.clip) words.push('--clip', motion.clip);
  if (motion.feet === 'free') words.push('--feet', 'free');
  if (motion.mirror) words.push('--mirror');
  if (motion.inPlace) words.push('--in-place-root');
  if (motion.cloth) words.push('--cloth', 'auto');
  if (isMapped(motion)) words.push('--map', mapFile(motion));
  return words;
}

// A corrected map is a file beside the motion, which the command writes first.
const isMapped = (motion: MotionChoice) => Object.keys(motion.map).length > 0;
const mapFile = (motion: MotionChoice) => `${stem(motion.name)}-map.json`;
const writeMap = (motion: MotionChoice) => `printf %s ${quoted(JSON.stringify(motion.map))} >${quoted(mapFile(motion))}`;

// Commands for edits that a verb does; what was painted or keyed by hand has none.
function editWords(work: Work, file: string): string[][] {
  const commands: string[][] = [];
  for (const { op, args } of work.edits) {
    const verb = op === 'edit_clips' ? 'edit' : op === 'edit_weights' ? 'weights' : op === 'bind' ? 'bind' : null;
    if (!verb) continue;
    const words = ['sinew', verb, file, '-o', file, '--in-place'];
    for (const [name, value] of Object.entries(args)) words.push(...optionWords(name, value));
    commands.push(words);
  }
  return commands;
}

function optionWords(name: string, value: unknown): string[] {
  const option = `--${name.replace('_mm', '').replaceAll('_', '-')}`;
  if (value === true) return [option];
  if (value === false || value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((v) => [option, typeof v === 'string' ? v : `${v.motion}:${v.weight ?? 1}`]);
  return [option, String(value)];
}

// `input` is the name of the character's file.
export function commandLine(work: Work, input: string): string {
  const groups = motionGroups(work.motions);
  const last = groups.at(-1);
  const output = `${stem(input)}-${work.motions[0] ? stem(work.motions[0].name) : 'rigged'}.glb`;
  const names = (group: MotionChoice[]) => group.flatMap((m) => ['--motion', m.name]);
  const commands = last
    ? [['sinew', 'animate', input, ...names(last), '-o', output, ...motionWords(last[0]!), ...rigWords(work)]]
    : [['sinew', 'rig', input, '-o', output, ...rigWords(work)]];
  for (const group of groups.slice(0, -1).reverse())
    commands.push(['sinew', 'animate', output, ...names(group), '-o', output, '--in-place', ...motionWords(group[0]!)]);
  commands.push(...editWords(work, output));
  const maps = groups.map((group) => group[0]!).filter(isMapped).map(writeMap);
  return [...maps, ...commands.map((words) => words.map(quoted).join(' '))].join(' &&\n');
}
