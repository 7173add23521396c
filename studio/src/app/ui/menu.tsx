// A button with a list below it. Arrow keys walk, Escape and clicks elsewhere close.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  label: string;
  side?: 'left' | 'right';
  main?: boolean;
  children: (close: () => void) => ComponentChildren;
}

export function Menu(props: MenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLButtonElement>(null);
  const close = () => {
    const byKey = box.current?.querySelector(':focus-visible');
    setOpen(false);
    if (byKey) head.current?.focus();
  };
  // Before anything else happens: the next key is meant for the list.
  useLayoutEffect(() => {
    if (open) items(box.current)[0]?.focus();
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent) => !box.current?.contains(event.target as Node) && setOpen(false);
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);
  const walk = (event: KeyboardEvent) => {
    if (!open) return;
    const all = items(box.current);
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (step) all[(at + step + all.length) % all.length]?.focus();
    else return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <div class="menu" ref={box} onKeyDown={walk}>
      <button ref={head} type="button" class={`button ${props.main ? 'main' : 'quiet'}`} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        {props.label}<span class="chevron" aria-hidden="true" />
      </button>
      {open && <div class={`menu-list ${props.side ?? 'right'}`} role="menu" aria-label={props.label}>{props.children(close)}</div>}
    </div>
  );
}

function items(box: HTMLElement | null): HTMLButtonElement[] {
  return [...(box?.querySelectorAll<HTMLButtonElement>('[role="menuitem"]:not(:disabled)') ?? [])];
}
