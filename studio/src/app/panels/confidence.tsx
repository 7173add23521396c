// How sure the fit is, joint by joint, and what speaks for or against it.
import { useStore } from '../state/store.ts';
import { setView, view } from '../state/view.ts';
import { confidenceColour } from '../stage/bones.ts';
import { fit } from '../stage/rest_body.ts';
import { Section } from '../ui/controls.tsx';

const percent = (value: number) => `${Math.round(value * 100)} %`;

export function Confidence() {
  const found = useStore(fit, (f) => f);
  const joint = useStore(view, (v) => v.joint);
  if (!found) return <p class="panel-text quiet-text">Fitting …</p>;
  const asExpected = 0.95; // cues from here on need no look
  const doubtful = found.cues.filter((cue) => cue.value < asExpected).sort((a, b) => a.value - b.value);
  const fine = found.cues.length - doubtful.length;
  return (
    <Section title="How sure" note={percent(found.confidence)}>
      <Meter value={found.confidence} label="The whole fit" />
      {found.warnings.map((w) => <p key={w} class="sentence warn">{w}</p>)}
      <ul class="cues">
        {doubtful.map((cue) => (
          <li key={cue.name} title={`${cue.name}: ${cue.measured.toFixed(2)}`}>
            <span class="dot" style={{ background: `#${confidenceColour(cue.value).getHexString()}` }} />
            <span>{cue.name}: {cue.says}</span>
            <span class="quiet-text">{percent(cue.value)}</span>
          </li>
        ))}
      </ul>
      {fine > 0 && <p class="quiet-text">{doubtful.length === 0 ? `All ${fine} measures of the body are as expected.` : `${fine} other measures of the body are as expected.`}</p>}
      <h4 class="list-title">Joints</h4>
      <ul class="joint-list">
        {found.joints.map((j) => (
          <li key={j.name}>
            <button type="button" class={j.name === joint ? 'chosen' : ''} aria-pressed={j.name === joint} onClick={() => setView({ joint: j.name })}>
              <span class="dot" style={{ background: `#${confidenceColour(j.confidence).getHexString()}` }} />
              <span class="name">{j.name}</span>
              <span class="quiet-text">{percent(j.confidence)}</span>
              {j.reason && <span class="reason">{j.reason}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Meter({ value, label }: { value: number; label: string }) {
  return (
    <div class="meter" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(value * 100)}>
      <span style={{ width: percent(value).replace(' ', ''), background: `#${confidenceColour(value).getHexString()}` }} />
    </div>
  );
}
