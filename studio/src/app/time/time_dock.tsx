// Everything about time at the bottom of the page: transport, timeline, and on demand the keys or the curves.
import { useStore } from '../state/store.ts';
import { setView, view } from '../state/view.ts';
import { Segments } from '../ui/controls.tsx';
import { CurveEditor } from './curve_editor.tsx';
import { DopeSheet } from './dope_sheet.tsx';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

export function TimeDock() {
  const dock = useStore(view, (v) => v.dock);
  return (
    <section class={`time ${dock === 'closed' ? '' : 'tall'}`} aria-label="Time">
      <div class="transport-row">
        <Transport />
        <div class="wide-only dock-choice">
          <Segments label="Below the timeline" value={dock} choices={[['closed', 'Timeline'], ['keys', 'Keys'], ['curves', 'Curves']]}
            onChange={(value) => setView({ dock: value as 'keys' })} />
        </div>
      </div>
      <Timeline />
      {dock === 'keys' && <DopeSheet />}
      {dock === 'curves' && <CurveEditor />}
    </section>
  );
}
