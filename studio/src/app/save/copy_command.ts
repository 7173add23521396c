// What was done, as a command for the terminal.
import { sourceName, work } from '../state/app.ts';
import { commandLine } from '../state/command_line.ts';
import { say } from '../state/view.ts';

const byHand = new Set(['paint', 'set_keys', 'set_channels', 'set_clip', 'set_bone_curve', 'set_weights']);

export async function copyCommand(): Promise<void> {
  const text = commandLine(work(), sourceName(work()));
  const missing = work().edits.filter((e) => byHand.has(e.op)).length;
  const rest = missing > 0 ? ` (without ${missing} ${missing === 1 ? 'change' : 'changes'} made by hand, which no command repeats)` : '';
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}${rest}`, 'good');
  } catch {
    say(`${text}${rest}`);
  }
}
