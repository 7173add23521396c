// The page: the core starts, the sample walks, everything else follows what the user does.
import { h, render } from 'preact';
import { App } from './app_view.tsx';
import { firstWork, startCore, takeWork } from './state/app.ts';
import { keepWork, keptWork } from './state/keep.ts';
import { askEarly } from './state/samples.ts';
import { openFromServer, serverFolder } from './state/server_files.ts';
import { applyTheme, say } from './state/view.ts';
import { listenToKeys } from './ui/keys.ts';
import { listenToDrops } from './ui/drop.ts';

async function start(): Promise<void> {
  applyTheme();
  const ready = startCore();
  askEarly();
  render(h(App, {}), document.getElementById('app')!);
  listenToKeys();
  listenToDrops();
  const [kept, folder] = await Promise.all([keptWork(), serverFolder()]);
  const begun = (async () => {
    if (await openFromServer(folder, kept)) return;
    if (!kept || !(await takeWork(kept))) await firstWork();
  })();
  await ready;
  await begun;
  keepWork();
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('app')!.textContent = `The studio could not start: ${text}`;
  say(text, 'bad');
});
