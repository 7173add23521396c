// The top bar: open, undo and redo, copy as a command, save.
import { useStore } from '../state/store.ts';
import { history, redoStep, sourceName, undoStep } from '../state/app.ts';
import { openSample, pickFiles } from '../state/open.ts';
import { isOpenable, openServerFile, serverFiles } from '../state/server_files.ts';
import { startOver } from '../state/start_over.ts';
import { made, setView, switchTheme, view } from '../state/view.ts';
import { savePicture, saveVideo } from '../save/pictures.ts';
import { saveAnimation } from '../save/animation.ts';
import { copyCommand } from '../save/copy_command.ts';
import { saveCharacter } from '../save/export.ts';
import { saveWork } from '../save/work_file.ts';
import { IconButton } from './controls.tsx';
import { icons } from './icons.tsx';
import { Menu } from './menu.tsx';

const samples: [name: string, label: string][] = [
  ['humanoid', 'Person'],
  ['humanoid-child', 'Child'],
  ['humanoid-tall', 'Tall person'],
  ['quadruped', 'Animal on four legs'],
  ['arm', 'Arm'],
];
const formats: [ending: string, label: string][] = [
  ['glb', 'For engines and viewers'],
  ['vrm', 'Avatar'],
  ['fbx', 'For 3D programs'],
  ['bvh', 'The motion alone'],
];

export function Bar() {
  const title = useStore(history, (h) => sourceName(h.present));
  const undone = useStore(history, (h) => h.past.at(-1)?.label ?? null);
  const redone = useStore(history, (h) => h.future[0]?.label ?? null);
  const theme = useStore(view, (v) => v.theme);
  const there = useStore(made, (m) => m !== null);
  const folder = useStore(serverFiles, (f) => f).filter(isOpenable);
  return (
    <header class="bar">
      <h1 class="brand">{logo()}<span>Sinew studio</span></h1>
      <div class="split wide-only" />
      <IconButton icon={icons.open()} label="Open files" keys="O" onClick={() => pickFiles()} />
      <Menu label="Samples" side="left">
        {(close) => samples.map(([name, label]) => (
          <button key={name} type="button" role="menuitem" onClick={() => { close(); void openSample(name); }}>{label}</button>
        ))}
      </Menu>
      {folder.length > 0 && (
        <Menu label="Folder" side="left">
          {(close) => folder.map((file) => (
            <button key={file.name} type="button" role="menuitem" onClick={() => { close(); void openServerFile(file); }}>{file.name}</button>
          ))}
        </Menu>
      )}
      <span class="title" title={title}>{title}</span>
      <span class="space" />
      <span class="row wide-only">
        <IconButton icon={icons.undo()} label={undone ? `Undo: ${undone}` : 'Undo'} keys="Ctrl Z" disabled={!undone} onClick={undoStep} />
        <IconButton icon={icons.redo()} label={redone ? `Redo: ${redone}` : 'Redo'} keys="Ctrl Shift Z" disabled={!redone} onClick={redoStep} />
        <span class="split" />
        <IconButton icon={icons.copy()} label="Copy as command line" keys="C" onClick={() => void copyCommand()} />
      </span>
      <IconButton icon={theme === 'dark' ? icons.sun() : icons.moon()} label={theme === 'dark' ? 'Light colours' : 'Dark colours'} onClick={switchTheme} />
      <IconButton icon={icons.help()} label="Keys" keys="?" onClick={() => setView({ help: true })} />
      <Menu label="Save" main>
        {(close) => (
          <>
            <h3>Character</h3>
            {formats.map(([ending, label]) => (
              <button key={ending} type="button" role="menuitem" disabled={!there} onClick={() => { close(); void saveCharacter(ending); }}>
                {ending.toUpperCase()}<small>{label}</small>
              </button>
            ))}
            <hr />
            <h3>Picture</h3>
            <button type="button" role="menuitem" onClick={() => { close(); void savePicture(); }}>PNG<small>What you see</small></button>
            <button type="button" role="menuitem" onClick={() => { close(); void saveVideo(); }}>WebM<small>The clip, once through</small></button>
            <button type="button" role="menuitem" onClick={() => { close(); void saveAnimation(); }}>WebP<small>The clip, moving</small></button>
            <hr />
            <button type="button" role="menuitem" onClick={() => { close(); void saveWork(); }}>Work file<small>To go on later</small></button>
            <button type="button" role="menuitem" onClick={() => { close(); void startOver(); }}>Start over<small>With the sample</small></button>
          </>
        )}
      </Menu>
    </header>
  );
}

function logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9 25 16.5 16 11 7M16.5 16l8.5-3.5" fill="none" stroke="var(--accent)" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round" />
      <g fill="var(--text)"><circle cx="9" cy="25" r="3" /><circle cx="16.5" cy="16" r="3" /><circle cx="11" cy="7" r="3" /><circle cx="25" cy="12.5" r="3" /></g>
    </svg>
  );
}
