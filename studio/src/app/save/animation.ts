// The played part of the clip as a moving WebP, frame by frame: every frame is there, however slowly it is drawn.
import { sourceName, work } from '../state/app.ts';
import { stem } from '../state/command_line.ts';
import { job, say } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { stageNow } from '../stage/stage_now.ts';
import { download } from './download.ts';
import { animatedWebp } from './webp.ts';

const rate = 25; // frames a second: a whole number of milliseconds each
const type = 'image/webp';
const quality = 0.85;

export async function saveAnimation(): Promise<void> {
  const stage = stageNow();
  if (!stage) return;
  const before = clock.get();
  const count = Math.max(Math.round((before.to - before.from) * rate), 1);
  const frames: Uint8Array[] = [];
  let cancelled = false;
  clock.set({ playing: false });
  for (let i = 0; i < count && !cancelled; i++) {
    job.set({ title: 'Drawing the clip', stage: `frame ${i + 1} of ${count}`, fraction: i / count, cancel: () => (cancelled = true) });
    await stage.showAt(before.from + i / rate);
    // At once: toBlob waits until the page has nothing else to do, which takes seconds while it draws.
    const [kind, text] = stage.scene.canvas.toDataURL(type, quality).split(',');
    if (!kind?.includes(type)) break;
    frames.push(Uint8Array.from(atob(text!), (c) => c.charCodeAt(0)));
  }
  job.set(null);
  clock.set({ ...before });
  if (cancelled) return;
  if (frames.length < count) return say('This browser cannot write WebP. Save WebM instead.', 'bad');
  const { width, height } = stage.scene.canvas;
  const name = `${stem(sourceName(work()))}.webp`;
  download(name, animatedWebp(frames, width, height, 1000 / rate), type);
  say(`Saved ${name}.`, 'good');
}
