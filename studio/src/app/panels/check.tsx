// The report card of the character, as `sinew check` measures it: what an engine or a player would trip over.
import { useState } from 'preact/hooks';
import type { CheckRow } from '../../core/api.ts';
import { runJob, sentence, theCore } from '../state/app.ts';
import { useStore } from '../state/store.ts';
import { made, say } from '../state/view.ts';
import { Button, Section } from '../ui/controls.tsx';

const worst = ['fault', 'warning', 'good'];
const words = (name: string) => name.replaceAll('_', ' ');
const limit = (row: CheckRow) => (row.most !== undefined ? `at most ${row.most}` : row.least !== undefined ? `at least ${row.least}` : '');

export function Check() {
  const document = useStore(made, (m) => m?.document ?? null);
  const [card, setCard] = useState<{ document: number; checks: CheckRow[] } | null>(null);
  const run = async () => {
    if (document === null) return;
    try {
      const { report } = await runJob('Checking', (watching) => theCore().call('check', { id: document }, watching));
      setCard({ document, checks: report.checks });
    } catch (error) {
      if ((error as { code?: string }).code !== 'cancelled') say(sentence(error), 'bad');
    }
  };
  const checks = card && card.document === document ? [...card.checks].sort((a, b) => worst.indexOf(a.grade) - worst.indexOf(b.grade)) : null;
  const bad = checks?.filter((row) => row.grade !== 'good').length ?? 0;
  return (
    <Section title="Check" note={checks ? (bad === 0 ? 'all good' : `${bad} to look at`) : undefined}>
      <p class="quiet-text">Measures the weights, how the skin bends at every joint, and the clips.</p>
      <Button disabled={document === null} onClick={() => void run()}>Check the character</Button>
      {checks && (
        <ul class="checks" aria-label="Checks">
          {checks.map((row) => (
            <li key={row.name} class={row.grade}>
              <span class="row"><span class="name">{words(row.name)}</span><span title={limit(row)}>{row.value}{row.unit ? ` ${row.unit}` : ''}</span></span>
              {row.advice && <span class="quiet-text">{row.where ? `${row.where}: ` : ''}{row.advice}</span>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
