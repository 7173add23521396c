// The character as a file: the bytes that the command line writes for the same choices.
import { documentFor, sentence, sourceName, theCore, work } from '../state/app.ts';
import { stem } from '../state/command_line.ts';
import { say, view } from '../state/view.ts';
import { download } from './download.ts';

export async function saveCharacter(ending: string): Promise<void> {
  const name = `${stem(sourceName(work()).split('/').at(-1)!)}.${ending}`;
  try {
    const document = await documentFor(ending);
    if (document === undefined) return;
    const clip = ending === 'bvh' ? { clip: String(view.get().clip) } : {};
    const { files } = await theCore().call('export', { id: document, name, ...clip });
    for (const file of files) download(file.name, file.bytes as Uint8Array<ArrayBuffer>);
    say(`Saved ${name}.`, 'good');
  } catch (error) {
    say(sentence(error), 'bad');
  }
}
