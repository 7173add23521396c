// Handles on top of the stage: real buttons, so that a pointer, a finger and the keyboard can all move them.
import { useEffect, useRef } from 'preact/hooks';
import * as THREE from 'three';
import type { Stage } from './stage.ts';

export interface Handle {
  id: string;
  label: string;
  at: () => THREE.Vector3 | null;
  colour?: string;
  hint?: string;
  small?: boolean;
  selected?: boolean;
}

interface HandleLayerProps {
  stage: Stage;
  label: string;
  handles: Handle[];
  onSelect?: (id: string) => void;
  onStart?: (id: string) => void;
  onMove?: (id: string, to: THREE.Vector3) => void;
  onEnd?: (id: string) => void;
}

const nudge = 4; // pixels that an arrow key moves
const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function HandleLayer(props: HandleLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;

  const place = () => {
    const buttons = layer.current?.children ?? [];
    latest.current.handles.forEach((handle, i) => {
      const button = buttons[i] as HTMLElement | undefined;
      if (!button) return;
      const at = handle.at();
      const p = at && latest.current.stage.scene.project(at);
      button.hidden = !p;
      if (p) button.style.transform = `translate(${p.x}px, ${p.y}px) translate(-50%, -50%)`;
    });
  };
  useEffect(() => props.stage.onShown(place), [props.stage]);
  useEffect(place);

  const drag = (handle: Handle) => (event: PointerEvent) => {
    const { stage } = props;
    if (event.button !== 0) return;
    event.preventDefault();
    const button = event.currentTarget as HTMLElement;
    button.setPointerCapture(event.pointerId);
    button.focus();
    latest.current.onSelect?.(handle.id);
    const start = handle.at();
    if (!start || !props.onMove) return;
    const from = stage.scene.dragPoint(event.clientX, event.clientY, start);
    let moved = false;
    const move = (e: PointerEvent) => {
      const far = 2; // pixels: less is a click
      if (!moved && Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) < far) return;
      if (!moved) latest.current.onStart?.(handle.id);
      moved = true;
      const to = stage.scene.dragPoint(e.clientX, e.clientY, start).sub(from).add(start);
      latest.current.onMove?.(handle.id, to);
    };
    const end = () => {
      button.removeEventListener('pointermove', move);
      button.removeEventListener('pointerup', end);
      button.removeEventListener('pointercancel', end);
      if (moved) latest.current.onEnd?.(handle.id);
    };
    button.addEventListener('pointermove', move);
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
  };

  const keyMoved = useRef<string | null>(null);
  const press = (handle: Handle) => (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    const at = handle.at();
    if (!arrow || !at || !props.onMove) return;
    event.preventDefault();
    event.stopPropagation();
    const { scene } = props.stage;
    const p = scene.project(at)!;
    const box = scene.canvas.getBoundingClientRect();
    if (keyMoved.current !== handle.id) props.onStart?.(handle.id);
    keyMoved.current = handle.id;
    const far = event.shiftKey ? nudge * 4 : nudge;
    props.onMove(handle.id, scene.dragPoint(box.left + p.x + arrow[0] * far, box.top + p.y + arrow[1] * far, at));
  };
  const release = (handle: Handle) => () => {
    if (keyMoved.current !== handle.id) return;
    keyMoved.current = null;
    props.onEnd?.(handle.id);
  };

  return (
    <div class="handles" ref={layer} role="group" aria-label={props.label} data-keys="own">
      {props.handles.map((handle) => (
        <button key={handle.id} type="button" class={`handle ${handle.small ? 'small' : ''} ${handle.selected ? 'selected' : ''}`}
          aria-label={handle.label} aria-pressed={handle.selected} title={handle.hint ? `${handle.label}: ${handle.hint}` : handle.label}
          style={handle.colour ? { '--handle': handle.colour } : {}} onFocus={() => props.onSelect?.(handle.id)}
          onPointerDown={drag(handle)} onKeyDown={press(handle)} onKeyUp={release(handle)} />
      ))}
    </div>
  );
}
