// The sample characters: as files beside the page where they are there, which is faster; else made by the core.
import type { State } from '../../core/api.ts';
import type { Core } from '../../core/client.ts';
import { motionNamed, newWork, type Work } from './work.ts';

const asFiles = new Set(['humanoid', 'quadruped']);

// Asked for while the page is being set up, for those who will want them first.
const early = new Map<string, Promise<Response | null>>();
const ask = (address: string) => fetch(address).catch(() => null);
function taken(address: string): Promise<Response | null> {
  const answer = early.get(address) ?? ask(address);
  early.delete(address); // an answer is read once
  return answer;
}
const walking = ['samples/humanoid-walk.glb', 'samples/humanoid-walk.json'] as const;
export function askEarly(): void {
  for (const address of ['samples/humanoid.glb', ...walking]) early.set(address, ask(address));
}

export async function openSampleDocument(core: Core, name: string) {
  const answer = asFiles.has(name) ? await taken(`samples/${name}.glb`) : null;
  if (!answer?.ok) return core.call('sample', { name });
  const file = `samples/${name}.glb`;
  await core.call('put_file', { name: file, bytes: new Uint8Array(await answer.arrayBuffer()) });
  return core.call('open', { file });
}

// The work that a page begins with.
export const firstChoices = () => newWork({ sample: 'humanoid' }, [motionNamed('walk')]);

const built = ({ source, rig, bind, motions }: Work) => JSON.stringify([source, rig, bind, motions]);
export const isPrepared = (work: Work) => built(work) === built(firstChoices());

// What the core would make of the choices that a page begins with, made when the page was built: the sample walks at once.
// Null for other choices, and where the files are not there.
export async function openPrepared(core: Core, work: Work): Promise<{ document: number; state: State; report: unknown } | null> {
  if (!isPrepared(work)) return null;
  const [file] = walking;
  const [glb, json] = await Promise.all(walking.map(taken));
  if (!glb?.ok || !json?.ok) return null;
  await core.call('put_file', { name: file, bytes: new Uint8Array(await glb.arrayBuffer()) });
  const { id, state } = await core.call('open', { file, humanoid: true });
  return { document: id, state, report: await json.json() };
}
