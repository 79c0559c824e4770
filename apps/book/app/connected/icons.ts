/** Icon paths of the connected page, on a 20-unit grid. */
export const icons = {
  buy: 'M5 5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 8.5h14M6 12h2.5',
  swap: 'M4 7.25h12m-3-3 3 3-3 3M16 12.75H4m3-3-3 3 3 3',
  send: 'M5.5 14.5 14.5 5.5M7 5.5h7.5V13',
  receive: 'M14.5 5.5 5.5 14.5M13 14.5H5.5V7',
  name: 'M3.75 4.75v5l6.6 6.6c.5.5 1.4.5 1.9 0l4.1-4.1c.5-.5.5-1.4 0-1.9l-6.6-6.6h-5c-.6 0-1 .4-1 1zM7 7.5v.01',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  close: 'm5.5 5.5 9 9m0-9-9 9',
} as const
