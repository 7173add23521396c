// Which joint of the motion moves which joint of the character; each row can be corrected.
import { change, history, work } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, view } from '../state/view.ts';
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

export function Mapping() {
  const clip = useStore(view, (v) => v.clip);
  const current = useStore(made, (m) => m);
  const motion = useStore(history, (h) => h.present.motions[clip] ?? null);
  if (!current || !motion) return null;
  const rows = mapOf(current.report, clip);
  const isFile = motion.name.includes('.');
  if (!isFile || rows.length === 0) return null;
  const names = current.state.info.joints.map((j) => j.name);
  const set = (source: string, target: string) => {
    const found = Object.fromEntries(rows.map((r) => [r.source, r.target]));
    const map: Record<string, string> = { ...found, ...motion.map, [source]: target };
    if (target === '') delete map[source];
    void change(`Map ${source}`, withMotion(work(), clip, { map }));
  };
  return (
    <Section title="Joint map" open={false} note={`${rows.length} joints`}>
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
