// What is on the stage, as a picture or a film.
import { sourceName, work } from '../state/app.ts';
import { stem } from '../state/command_line.ts';
import { say } from '../state/view.ts';
import { clock } from '../time/clock.ts';
import { stageNow } from '../stage/stage_now.ts';
import { download } from './download.ts';

const name = (ending: string) => `${stem(sourceName(work()))}.${ending}`;

export async function savePicture(): Promise<void> {
  const stage = stageNow();
  if (!stage) return;
  if (!clock.get().playing) await stage.showAt(clock.get().time);
  stage.scene.drawNow(); // the buffer is only there until the browser has shown it
  const blob = await new Promise<Blob | null>((resolve) => stage.scene.canvas.toBlob(resolve, 'image/png'));
  if (!blob) return say('The browser could not make a picture of the stage.', 'bad');
  download(name('png'), blob, 'image/png');
}

// Plays the chosen part once and records it.
export async function saveVideo(): Promise<void> {
  const stage = stageNow();
  if (!stage) return;
  const type = ['video/webm;codecs=vp9', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
  if (!type) return say('This browser cannot record WebM. Save a GLB and use: sinew preview in.glb -o out.webp', 'bad');
  const before = clock.get();
  const rate = 30;
  const stream = stage.scene.canvas.captureStream(rate);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8_000_000 });
  const pieces: Blob[] = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const done = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
  clock.set({ time: before.from, playing: true, loop: false, speed: Math.abs(before.speed) });
  recorder.start();
  await new Promise<void>((resolve) => {
    const stop = clock.watch((state) => {
      if (state.playing) return;
      stop();
      resolve();
    });
  });
  recorder.stop();
  await done;
  clock.set({ ...before });
  download(name('webm'), new Blob(pieces, { type }), type);
  say(`Saved ${name('webm')}.`, 'good');
}
