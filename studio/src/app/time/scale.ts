// Seconds to pixels and back, and round distances for the marks of an axis.
export interface Scale {
  from: number;
  to: number;
  left: number; // pixels
  width: number;
}
export function toPixel(scale: Scale, value: number): number {
  return scale.left + ((value - scale.from) / (scale.to - scale.from || 1)) * scale.width;
}
export function toValue(scale: Scale, pixel: number): number {
  return scale.from + ((pixel - scale.left) / (scale.width || 1)) * (scale.to - scale.from);
}

// The largest of 1, 2, 5 · 10ⁿ that leaves marks at least `apart` pixels away from each other.
export function roundStep(range: number, pixels: number, apart: number): number {
  if (range <= 0 || pixels <= 0) return 1;
  const least = (range * apart) / pixels;
  const ten = 10 ** Math.floor(Math.log10(least));
  return ten * ([1, 2, 5, 10].find((n) => n * ten >= least * (1 - 1e-9)) ?? 10);
}
export function marks(from: number, to: number, step: number): number[] {
  const all: number[] = [];
  const least = Math.ceil(from / step - 1e-9);
  for (let i = least; i * step <= to + step * 1e-9; i++) all.push(i * step);
  return all;
}
