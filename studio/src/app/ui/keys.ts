// The keyboard: one list of keys, used by the page and shown by `?`.
import { redoStep, undoStep } from '../state/app.ts';
import { pickFiles } from '../state/open.ts';
import { hideHint, setView, view } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { keyNow } from '../time/keying.ts';
import { stageNow } from '../stage/stage_now.ts';
import { copyCommand } from '../save/copy_command.ts';

export interface KeyEntry {
  keys: string; // as shown
  does: string;
  group: 'Time' | 'View' | 'Work';
  match: (event: KeyboardEvent) => boolean;
  run: () => void;
}

const plain = (key: string) => (e: KeyboardEvent) => e.key.toLowerCase() === key && !e.ctrlKey && !e.metaKey && !e.altKey;
const command = (key: string, shift: boolean) => (e: KeyboardEvent) => e.key.toLowerCase() === key && (e.ctrlKey || e.metaKey) && e.shiftKey === shift;
const turn = 15; // degrees

export const keyList: KeyEntry[] = [
  { group: 'Time', keys: 'Space', does: 'Play or stop', match: plain(' '), run: () => clock.toggle() },
  { group: 'Time', keys: '← →', does: 'One frame back or on', match: (e) => plain('arrowleft')(e) && !e.shiftKey, run: () => clock.step(-1) },
  { group: 'Time', keys: '', does: '', match: (e) => plain('arrowright')(e) && !e.shiftKey, run: () => clock.step(1) },
  { group: 'Time', keys: 'J K L', does: 'Backwards, stop, forwards', match: plain('j'), run: () => clock.shuttle(-1) },
  { group: 'Time', keys: '', does: '', match: plain('k'), run: () => clock.shuttle(0) },
  { group: 'Time', keys: '', does: '', match: plain('l'), run: () => clock.shuttle(1) },
  { group: 'Time', keys: 'Home End', does: 'To the start or the end', match: plain('home'), run: () => clock.seek(clock.get().from) },
  { group: 'Time', keys: '', does: '', match: plain('end'), run: () => clock.seek(clock.get().to) },
  { group: 'Time', keys: 'S', does: 'Set a key here', match: plain('s'), run: () => void keyNow() },
  { group: 'View', keys: '1 2 3 4', does: 'Front, side, back, three-quarter', match: plain('1'), run: () => stageNow()?.scene.look('front') },
  { group: 'View', keys: '', does: '', match: plain('2'), run: () => stageNow()?.scene.look('side') },
  { group: 'View', keys: '', does: '', match: plain('3'), run: () => stageNow()?.scene.look('back') },
  { group: 'View', keys: '', does: '', match: plain('4'), run: () => stageNow()?.scene.look('three-quarter') },
  { group: 'View', keys: 'Shift ← →', does: 'Walk around the character', match: (e) => plain('arrowleft')(e) && e.shiftKey, run: () => stageNow()?.scene.orbit(-turn, 0) },
  { group: 'View', keys: '', does: '', match: (e) => plain('arrowright')(e) && e.shiftKey, run: () => stageNow()?.scene.orbit(turn, 0) },
  { group: 'View', keys: '+ −', does: 'Closer or farther', match: (e) => plain('+')(e) || plain('=')(e), run: () => stageNow()?.scene.orbit(0, 0, 0.85) },
  { group: 'View', keys: '', does: '', match: plain('-'), run: () => stageNow()?.scene.orbit(0, 0, 1 / 0.85) },
  { group: 'View', keys: 'B', does: 'Bones', match: plain('b'), run: () => setView({ bones: !view.get().bones }) },
  { group: 'View', keys: 'W', does: 'Wire', match: plain('w'), run: () => setView({ wire: !view.get().wire }) },
  { group: 'View', keys: 'G', does: 'Ground', match: plain('g'), run: () => setView({ ground: !view.get().ground }) },
  { group: 'Work', keys: 'Ctrl Z', does: 'Undo', match: command('z', false), run: undoStep },
  { group: 'Work', keys: 'Ctrl Shift Z', does: 'Redo', match: (e) => command('z', true)(e) || command('y', false)(e), run: redoStep },
  { group: 'Work', keys: 'O', does: 'Open files', match: plain('o'), run: pickFiles },
  { group: 'Work', keys: 'C', does: 'Copy as command line', match: plain('c'), run: () => void copyCommand() },
  { group: 'Work', keys: '?', does: 'These keys', match: (e) => e.key === '?', run: () => setView({ help: !view.get().help }) },
  { group: 'Work', keys: 'Esc', does: 'Close, or stop the tool', match: plain('escape'), run: leave },
];

function leave(): void {
  if (view.get().hint) hideHint();
  setView({ painting: false, poseTool: 'none', help: false });
}

// Keys belong to a control that uses them: text, sliders, lists, buttons that Space presses.
function taken(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey) return at.matches('input[type="text"], input[type="number"], textarea');
  if (at.matches('input[type="text"], input[type="number"], textarea, select')) return true;
  if (at.closest('[data-keys="own"]')) return event.key !== '?' && event.key !== 'Escape';
  if (at.matches('input[type="range"], input[type="radio"]')) return event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
  return event.key === ' ' && at.matches('button, input, summary, a');
}

// A button that was clicked with the pointer gives the keyboard back to the stage: Space plays, it does not click again.
function giveBack(event: MouseEvent): void {
  const button = (event.target as HTMLElement).closest('button:not(.handle)');
  if (event.detail > 0 && button === document.activeElement) (button as HTMLElement | null)?.blur();
}

export function listenToKeys(): void {
  addEventListener('click', giveBack);
  addEventListener('keydown', (event) => {
    if (taken(event) || document.querySelector('dialog[open]')) return;
    const entry = keyList.find((k) => k.match(event));
    if (!entry) return;
    event.preventDefault();
    entry.run();
  });
}
