// The sample characters: as files beside the page where they are there, which is faster; else made by the core.
import type { Core } from '../../core/client.ts';

const asFiles = new Set(['humanoid', 'quadruped']);

export async function openSampleDocument(core: Core, name: string) {
  const answer = asFiles.has(name) ? await fetch(`samples/${name}.glb`).catch(() => null) : null;
  if (!answer?.ok) return core.call('sample', { name });
  const file = `samples/${name}.glb`;
  await core.call('put_file', { name: file, bytes: new Uint8Array(await answer.arrayBuffer()) });
  return core.call('open', { file });
}
