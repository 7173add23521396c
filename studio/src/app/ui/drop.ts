// Files dragged onto the page, from anywhere on it.
import { theCore } from '../state/app.ts';
import { createStore } from '../state/store.ts';
import { openFiles } from '../state/open.ts';

export const dropping = createStore(false);

export function listenToDrops(): void {
  let inside = 0; // elements entered and not left
  addEventListener('dragenter', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    inside++;
    theCore().warmUp();
    dropping.set(true);
  });
  addEventListener('dragleave', () => {
    inside = Math.max(inside - 1, 0);
    if (inside === 0) dropping.set(false);
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    inside = 0;
    dropping.set(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void openFiles(files);
  });
}
