// The page: the core starts, the sample walks, everything else follows what the user does.
import { h, render } from 'preact';
import { App } from './app_view.tsx';
import { firstWork, startCore, takeWork } from './state/app.ts';
import { keepWork, keptWork } from './state/keep.ts';
import { openFromServer } from './state/server_files.ts';
import { applyTheme, say } from './state/view.ts';
import { listenToKeys } from './ui/keys.ts';
import { listenToDrops } from './ui/drop.ts';

async function start(): Promise<void> {
  applyTheme();
  await startCore();
  render(h(App, {}), document.getElementById('app')!);
  listenToKeys();
  listenToDrops();
  const kept = await keptWork();
  if (await openFromServer(kept)) return keepWork();
  if (!kept || !(await takeWork(kept))) await firstWork();
  keepWork();
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('app')!.textContent = `The studio could not start: ${text}`;
  say(text, 'bad');
});
