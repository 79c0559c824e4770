export const bin =
  'M4 5.75h12M8 5.5V4.25a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1V5.5M5.5 6l.7 9a1.75 1.75 0 0 0 1.8 1.6h4a1.75 1.75 0 0 0 1.8-1.6l.7-9'
export const copy =
  'M9 7h5.5a2 2 0 0 1 2 2v5.5a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM4.5 13A1.5 1.5 0 0 1 3.5 11.6V5.5a2 2 0 0 1 2-2h6.1c.7 0 1.2.4 1.4 1'
export const dots = '|M4.5 10v.01M10 10v.01M15.5 10v.01'
export const down = 'm5 8 5 5 5-5'
export const plus = 'M10 4v12M4 10h12'
export const receive = 'M14.5 5.5 5.5 14.5M13 14.5H5.5V7'
export const send = 'M5.5 14.5 14.5 5.5M7 5.5h7.5V13'
export const swap = 'M4 7.25h12m-3-3 3 3-3 3M16 12.75H4m3-3-3 3 3 3'
export const user =
  'M10 4a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM4.5 16.25c.7-3 2.8-4.5 5.5-4.5s4.8 1.5 5.5 4.5'
export const buy =
  'M5 5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 8.5h14M6 12h2.5'
export const share =
  'M10 12.5v-9m-3 2.75 3-2.75 3 2.75M5 9.5v5.25c0 .97.78 1.75 1.75 1.75h6.5c.97 0 1.75-.78 1.75-1.75V9.5'
