// The list of keys, opened by `?`.
import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { setView, view } from '../state/view.ts';
import { IconButton } from './controls.tsx';
import { icons } from './icons.tsx';
import { keyList } from './keys.ts';

export function Help() {
  const open = useStore(view, (v) => v.help);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const close = () => setView({ help: false });
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close} onKeyDown={(e) => e.key === '?' && close()}
      onClick={(e) => e.target === dialog.current && close()}>
      <div class="dialog-head">
        <h2 id="help-title">Keys</h2>
        <IconButton icon={icons.close()} label="Close" onClick={close} />
      </div>
      <div class="keys">
        {(['Time', 'View', 'Work'] as const).map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            {keyList.filter((k) => k.group === group && k.keys).map((k) => (
              <div key={k.keys}><span>{k.does}</span><kbd>{k.keys}</kbd></div>
            ))}
          </section>
        ))}
        <section>
          <h3>Mouse</h3>
          <div><span>Turn</span><kbd>drag</kbd></div>
          <div><span>Move the view</span><kbd>right drag</kbd></div>
          <div><span>Closer, farther</span><kbd>wheel</kbd></div>
        </section>
      </div>
    </dialog>
  );
}
