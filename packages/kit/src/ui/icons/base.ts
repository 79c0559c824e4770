/*
 * SVG paths on a 20-unit grid with a 1.5 px stroke. The part after `|` has a thicker stroke, for dots.
 * One constant per icon, so that a chunk includes only the icons it uses.
 */
export const back = 'M12 4.5 6.5 10l5.5 5.5'
export const check = 'm4.5 10.5 3.7 3.7 7.3-8'
export const chevron = 'm8 5 5 5-5 5'
export const clock = 'M10 3.25a6.75 6.75 0 1 0 0 13.5a6.75 6.75 0 1 0 0-13.5zM10 6.25V10l2.5 1.75'
export const close = 'm5.5 5.5 9 9m0-9-9 9'
export const go = 'M4.5 10h11M11 5.500l4.500 4.500-4.500 4.500'
export const help =
  'M7.4 7.2A2.7 2.7 0 0 1 10 5.2c1.6 0 2.8 1.1 2.8 2.5 0 2-2.8 2.3-2.8 4.3|M10 15v.01'
export const info =
  'M10 3.25a6.75 6.75 0 1 0 0 13.5a6.75 6.75 0 1 0 0-13.5zM10 9.5v3.75|M10 6.9v.01'
export const key = 'M7 9.75a3.25 3.25 0 1 0 0 6.5a3.25 3.25 0 1 0 0-6.5zM9.4 10.6l6.1-6.1M13 7l2 2'
export const mark = 'M3.5 5.5 9 3.5v11l-5.5 2zM9 3.5l7.5 2v11l-7.5-2'
export const retry = 'M15.8 8.2A6.2 6.2 0 1 0 16.2 11M16.2 4.2v4h-4'
export const spin = 'M10 3.25A6.75 6.75 0 1 1 3.25 10'
export const wallet =
  'M15 6.5V5a1.5 1.5 0 0 0-1.5-1.5h-8a2 2 0 0 0 0 4H15a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5H5.5a2 2 0 0 1-2-2v-9|M13.2 12v.01'
export const warn =
  'M8.7 4.2a1.5 1.5 0 0 1 2.6 0l5.4 9.4a1.5 1.5 0 0 1-1.3 2.2H4.6a1.5 1.5 0 0 1-1.3-2.2zM10 8v3.2|M10 13.4v.01'
export const out =
  'M8 4H6a1.75 1.75 0 0 0-1.75 1.75v8.5C4.25 15.2 5 16 6 16h2M12 6.5l3.5 3.5-3.5 3.5M15.5 10H8'
