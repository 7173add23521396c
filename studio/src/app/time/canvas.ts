// A canvas that is as sharp as the screen and is drawn again when its size or the colours change.
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface Paper {
  c: CanvasRenderingContext2D;
  width: number;
  height: number;
  colour: (name: string) => string;
}

export function usePaper(draw: (paper: Paper) => void): { canvas: RefObject<HTMLCanvasElement>; redraw: () => void } {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  const waiting = useRef(0);
  const paint = () => {
    waiting.current = 0;
    const box = canvas.current;
    if (!box) return;
    const [width, height] = [box.clientWidth, box.clientHeight];
    const ratio = devicePixelRatio;
    if (box.width !== Math.round(width * ratio) || box.height !== Math.round(height * ratio)) {
      box.width = Math.round(width * ratio);
      box.height = Math.round(height * ratio);
    }
    const c = box.getContext('2d')!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = '11px system-ui, sans-serif';
    const style = getComputedStyle(box);
    latest.current({ c, width, height, colour: (name) => style.getPropertyValue(`--${name}`) });
  };
  const redraw = () => {
    if (waiting.current === 0) waiting.current = requestAnimationFrame(paint);
  };
  useEffect(() => {
    const sizes = new ResizeObserver(redraw);
    if (canvas.current) sizes.observe(canvas.current);
    return () => sizes.disconnect();
  }, []);
  useEffect(redraw);
  return { canvas, redraw };
}
