// The joints as a list, indented as they hang on each other.
import { useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { made, view } from '../state/view.ts';
import { stageNow } from '../stage/stage_now.ts';

export function depths(parents: number[]): number[] {
  const all: number[] = [];
  parents.forEach((parent, j) => (all[j] = parent < 0 ? 0 : all[parent]! + 1));
  return all;
}

export function JointTree({ onChoose }: { onChoose: (name: string) => void }) {
  const joints = useStore(made, (m) => m?.state.info.joints ?? []);
  const { joint, locked } = useStore(view, (v) => v);
  const [search, setSearch] = useState('');
  const depth = depths(joints.map((j) => j.parent));
  const shown = stageNow()?.shownJoints;
  const list = joints
    .map((j, i) => ({ name: j.name, depth: depth[i]!, index: i }))
    .filter((j) => (!shown || shown.size === 0 || shown.has(j.index)) && j.name.toLowerCase().includes(search.toLowerCase()));
  const least = Math.min(...list.map((j) => j.depth));
  return (
    <>
      <input type="text" placeholder="Find a joint" aria-label="Find a joint" value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
      <ul class="joint-list tall">
        {list.map((j) => (
          <li key={j.index}>
            <button type="button" class={j.name === joint ? 'chosen' : ''} aria-pressed={j.name === joint} onClick={() => onChoose(j.name)}>
              <span class="name" style={{ paddingLeft: `${Math.min(j.depth - least, 9) * 9}px` }}>{j.name}</span>
              {locked.includes(j.name) && <span class="quiet-text">locked</span>}
            </button>
          </li>
        ))}
      </ul>
      {list.length === 0 && <p class="quiet-text">No joint has “{search}” in its name.</p>}
    </>
  );
}
