// What is shown and chosen, but is no part of the work: not undone, not saved.
import { createStore } from './store.ts';
import type { Made } from './maker.ts';

export type Room = 'rig' | 'skin' | 'move' | 'face' | 'show';
export type PoseTool = 'none' | 'reach' | 'turn';
export type BrushMode = 'add' | 'subtract' | 'replace' | 'smooth';

export interface View {
  room: Room;
  theme: 'dark' | 'light';
  bones: boolean;
  wire: boolean;
  ground: boolean;
  shadow: boolean;
  heat: boolean; // weights of the selected joint as colours
  contacts: boolean;
  trails: boolean;
  onion: boolean;
  limits: boolean;
  turntable: boolean;
  joint: string | null; // the selected one
  mirror: boolean; // joints and strokes on both sides
  poseTool: PoseTool;
  autoKey: boolean;
  painting: boolean;
  brush: { mode: BrushMode; radius: number; strength: number };
  locked: string[]; // joints whose weights a brush leaves alone
  clip: number;
  dock: 'closed' | 'keys' | 'curves';
  help: boolean;
  hint: boolean;
}

const themeKey = 'sinew-theme';
const hintKey = 'sinew-hint-seen';

function startingTheme(): 'dark' | 'light' {
  const chosen = localStorage.getItem(themeKey);
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

// As a page opens.
export const firstView = (): View => ({
  room: 'move',
  theme: startingTheme(),
  bones: false,
  wire: false,
  ground: true,
  shadow: true,
  heat: false,
  contacts: false,
  trails: false,
  onion: false,
  limits: false,
  turntable: false,
  joint: null,
  mirror: true,
  poseTool: 'none',
  autoKey: true,
  painting: false,
  brush: { mode: 'add', radius: 0.06, strength: 0.4 },
  locked: [],
  clip: 0,
  dock: 'closed',
  help: false,
  hint: localStorage.getItem(hintKey) === null,
});
export const view = createStore<View>(firstView());

export function setView(change: Partial<View>): void {
  view.update((v) => ({ ...v, ...change }));
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = view.get().theme;
}
export function switchTheme(): void {
  const theme = view.get().theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem(themeKey, theme);
  setView({ theme });
  applyTheme();
}
export function hideHint(): void {
  localStorage.setItem(hintKey, 'yes');
  setView({ hint: false });
}

// The character as the core made it; null until the first one is there.
export const made = createStore<Made | null>(null);

// How much is on its way from a command to the stage; 0: what is shown is what was asked for.
export const pending = createStore(0);
export async function whilePending<T>(run: () => Promise<T>): Promise<T> {
  pending.update((n) => n + 1);
  try {
    return await run();
  } finally {
    pending.update((n) => n - 1);
  }
}

// The long piece of work that is going on.
export interface Job {
  title: string;
  stage: string;
  fraction: number;
  cancel: () => void;
}
export const job = createStore<Job | null>(null);

export interface Message {
  id: number;
  kind: 'bad' | 'good' | 'plain';
  text: string;
}
export const messages = createStore<Message[]>([]);
let messageCount = 0;

const mostMessages = 3;
const goodLasts = 5000; // milliseconds; what went wrong stays until it is closed

export function say(text: string, kind: Message['kind'] = 'plain'): void {
  const message = { id: ++messageCount, kind, text };
  messages.update((all) => [...all.filter((m) => m.text !== text), message].slice(-mostMessages));
  if (kind !== 'bad') setTimeout(() => dismiss(message.id), goodLasts);
}
export function dismiss(id: number): void {
  messages.update((all) => all.filter((m) => m.id !== id));
}
export function dismissErrors(): void {
  messages.update((all) => all.filter((m) => m.kind !== 'bad'));
}
