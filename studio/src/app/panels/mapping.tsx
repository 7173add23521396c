// Which joint of the motion moves which joint of the character; each row can be corrected.
import { useEffect, useState } from 'preact/hooks';
import { change, history, sentence, theCore, work } from '../state/app.ts';
import { putNamed } from '../state/files.ts';
import { useStore } from '../state/store.ts';
import { made, say, view, whilePending } from '../state/view.ts';
import { withMotion } from '../state/work.ts';
import { Button, Section } from '../ui/controls.tsx';

export interface MapRow {
  source: string;
  target: string;
  by: string;
}

export function mapOf(report: any, index: number): MapRow[] {
  const found = report?.motions?.[index]?.retarget?.map ?? [];
  return Array.isArray(found) ? found : Object.entries(found).map(([source, target]) => ({ source, target: String(target), by: '' }));
}

// The joints of the motion's file, in its order; those that move nothing can be given something to move.
function useJointsOf(file: string | null): string[] {
  const [known, setKnown] = useState<{ file: string | null; joints: string[] }>({ file: null, joints: [] });
  useEffect(() => {
    if (file === null || known.file === file) return;
    void whilePending(async () => {
      const core = theCore();
      await putNamed(core, [file]);
      const { id, state } = await core.call('open', { file });
      void core.call('close', { id });
      setKnown({ file, joints: state.info.joints.map((j) => j.name) });
    }).catch((error: unknown) => say(sentence(error), 'bad'));
  }, [file]);
  return known.file === file ? known.joints : [];
}

export function Mapping() {
  const clip = useStore(view, (v) => v.clip);
  const current = useStore(made, (m) => m);
  const motion = useStore(history, (h) => h.present.motions[clip] ?? null);
  const found = mapOf(current?.report, clip);
  const isFile = motion !== null && motion.name.includes('.') && found.length > 0;
  const all = useJointsOf(isFile ? motion.name : null);
  if (!current || !isFile) return null;
  const rows = [...found, ...all.filter((source) => !found.some((r) => r.source === source)).map((source) => ({ source, target: '', by: '' }))];
  rows.sort((a, b) => all.indexOf(a.source) - all.indexOf(b.source));
  const names = current.state.info.joints.map((j) => j.name);
  const set = (source: string, target: string) => {
    const map: Record<string, string> = { ...Object.fromEntries(found.map((r) => [r.source, r.target])), ...motion.map, [source]: target };
    if (target === '') delete map[source];
    void change(`Map ${source}`, withMotion(work(), clip, { map }));
  };
  return (
    <Section title="Joint map" open={false} note={`${found.length} of ${rows.length} joints`}>
      <table class="map">
        <thead><tr><th scope="col">Motion</th><th scope="col">Character</th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.source}>
              <td title={row.by ? `found by ${row.by}` : undefined}>{row.source}</td>
              <td>
                <select aria-label={`Joint for ${row.source}`} value={row.target} onChange={(e) => set(row.source, e.currentTarget.value)}>
                  <option value="">none</option>
                  {names.map((name) => <option key={name} value={name} selected={name === row.target}>{name}</option>)}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {Object.keys(motion.map).length > 0 && <Button kind="quiet" onClick={() => void change('Map as found', withMotion(work(), clip, { map: {} }))}>Back to the map as found</Button>}
    </Section>
  );
}
