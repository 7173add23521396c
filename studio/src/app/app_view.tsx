// The page's frame: bar, rail, stage, panel, time.
import { useStore } from './state/store.ts';
import { pending, setView, view, type Room } from './state/view.ts';
import { Bar } from './ui/bar.tsx';
import { Help } from './ui/help.tsx';
import { icons } from './ui/icons.tsx';
import { StageView } from './stage/stage_view.tsx';
import { FacePanel } from './panels/face_panel.tsx';
import { MovePanel } from './panels/move_panel.tsx';
import { RigPanel } from './panels/rig_panel.tsx';
import { ShowPanel } from './panels/show_panel.tsx';
import { SkinPanel } from './panels/skin_panel.tsx';
import { TimeDock } from './time/time_dock.tsx';

const rooms: { room: Room; label: string; icon: keyof typeof icons }[] = [
  { room: 'rig', label: 'Rig', icon: 'rig' },
  { room: 'skin', label: 'Skin', icon: 'skin' },
  { room: 'move', label: 'Move', icon: 'move' },
  { room: 'face', label: 'Face', icon: 'face' },
  { room: 'show', label: 'Show', icon: 'show' },
];
const panels = { rig: RigPanel, skin: SkinPanel, move: MovePanel, face: FacePanel, show: ShowPanel };

function Rail() {
  const room = useStore(view, (v) => v.room);
  const turn = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const at = rooms.findIndex((r) => r.room === room);
    const next = rooms[(at + step + rooms.length) % rooms.length]!;
    event.preventDefault();
    event.stopPropagation();
    setView({ room: next.room });
    document.getElementById(`tab-${next.room}`)?.focus();
  };
  return (
    <div class="rail" role="tablist" aria-orientation="vertical" aria-label="What to work on" onKeyDown={turn}>
      {rooms.map((r) => (
        <button key={r.room} id={`tab-${r.room}`} type="button" role="tab" aria-selected={r.room === room} aria-controls="panel"
          tabIndex={r.room === room ? 0 : -1} onClick={() => setView({ room: r.room, painting: false, poseTool: 'none' })}>
          {icons[r.icon]()}
          {r.label}
        </button>
      ))}
    </div>
  );
}

export function App() {
  const room = useStore(view, (v) => v.room);
  const settled = useStore(pending, (n) => n === 0);
  const Panel = panels[room];
  return (
    <div class="app" data-settled={settled ? 'yes' : 'no'}>
      <Bar />
      <Rail />
      <main class="stage" aria-label="Stage" aria-busy={!settled}><StageView /></main>
      <aside class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${room}`} tabIndex={-1}><Panel key={room} /></aside>
      <TimeDock />
      <Help />
    </div>
  );
}
