// Icons, drawn on a grid of 20 with one stroke.
import type { ComponentChildren } from 'preact';

function icon(children: ComponentChildren, filled = false) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" fill={filled ? 'currentColor' : 'none'} stroke={filled ? 'none' : 'currentColor'}
      stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
      {children}
    </svg>
  );
}

export const icons = {
  play: () => icon(<path d="M6 4.2v11.6L15.6 10z" />, true),
  pause: () => icon(<path d="M5.5 4h3v12h-3zM11.5 4h3v12h-3z" />, true),
  toStart: () => icon(<path d="M5 4.500h1.800v11H5zM15.5 4.500v11L7.8 10z" />, true),
  toEnd: () => icon(<path d="M13.2 4.500H15v11h-1.800zM4.5 4.500v11l7.7-5.500z" />, true),
  stepBack: () => icon(<path d="M12.5 5 7.5 10l5 5" />),
  stepOn: () => icon(<path d="m7.5 5 5 5-5 5" />),
  loop: () => icon(<path d="M4 9.500V8a3 3 0 0 1 3-3h8m-2.5-2.500L15 5l-2.5 2.500M16 10.500V12a3 3 0 0 1-3 3H5m2.5 2.500L5 15l2.5-2.5" />),
  undo: () => icon(<path d="M7 4.5 3.5 8 7 11.500M4 8h7.500a4 4 0 0 1 0 8H8" />),
  redo: () => icon(<path d="M13 4.5 16.5 8 13 11.500M16 8H8.500a4 4 0 0 0 0 8H12" />),
  open: () => icon(<path d="M3 15.500v-11h5l1.5 2H17v9z" />),
  save: () => icon(<path d="M10 3v9m-3.5-3.500L10 12l3.5-3.500M4 16.500h12" />),
  copy: () => icon(<path d="M7.5 7.500h9v9h-9zM12.5 7.500v-4h-9v9h4" />),
  help: () => icon(<path d="M7.5 7.600a2.5 2.5 0 1 1 3.6 2.300c-.8.4-1.1.9-1.1 1.800M10 14.700v.1" />),
  sun: () => icon(<path d="M10 6.800a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.400zM10 2.500v1.300M10 16.200v1.300M2.5 10h1.300M16.2 10h1.300M4.7 4.700l.9.900M14.4 14.400l.9.900M15.3 4.700l-.9.900M5.6 14.400l-.9.9" />),
  moon: () => icon(<path d="M16 11.700A6.5 6.5 0 0 1 8.3 4a6.5 6.5 0 1 0 7.7 7.700z" />),
  close: () => icon(<path d="m5.5 5.5 9 9m0-9-9 9" />),
  plus: () => icon(<path d="M10 4.500v11M4.5 10h11" />),
  trash: () => icon(<path d="M4 6h12M8 6V4h4v2M5.5 6l.7 10.500h7.600L14.5 6" />),
  rig: () => icon(<path d="M10 6.800v4M10 10.8 6.5 16M10 10.800l3.5 5.200M4.5 8.5 10 7.800l5.5.700M10 6.800a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />),
  skin: () => icon(<path d="M13.5 3.500c1.5 0 3 1.5 3 3L9 13.5 6 10.500zM6 10.500c-2 .5-2 3-3.5 4.5 2.5 1 6 .5 6.5-1.5" />),
  move: () => icon(<path d="M11.5 5.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM10.5 7.5 9 12l3 2 .5 4M9 12l-3 5.500M6 10.500l1.5-3 3-.5 1.5 2.5 2.5.5" />),
  face: () => icon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM7 12c1.5 2 4.5 2 6 0M7.5 8v.100M12.5 8v.1" />),
  show: () => icon(<path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 12.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z" />),
  key: () => icon(<path d="m10 4 6 6-6 6-6-6z" />, true),
  bones: () => icon(<path d="M5 15 15 5M4.5 12.800a1.6 1.6 0 1 0 2.7 2.700M12.8 4.500a1.6 1.6 0 1 1 2.7 2.7" />),
  wire: () => icon(<path d="M3.5 5.5 10 3l6.5 2.500v9L10 17l-6.5-2.500zM3.5 5.5 10 8.500l6.5-3M10 8.500V17M3.5 14.5 10 8.500l6.5 6" />),
  ground: () => icon(<path d="M2.5 13.5 7 6.500h6l4.5 7zM4.5 10.200h11M10 6.500v7" />),
  camera: () => icon(<path d="M3 6.500h3L7.5 4.500h5L14 6.500h3v9H3zM10 13.500a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.400z" />),
};
