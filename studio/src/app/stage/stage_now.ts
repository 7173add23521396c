// The stage of the page, for keys and buttons that act on it.
import type { Stage } from './stage.ts';

let now: Stage | null = null;
export const stageNow = () => now;
export function setStage(stage: Stage): void {
  now = stage;
}
