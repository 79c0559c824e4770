/** @jsxImportSource preact */

/** Icons on a 20-unit grid, with a stroke width of 1.5. */
const paths = {
  lock: 'M4.5 10.75a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v3.75a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2zM7 8.5V6.25a3 3 0 0 1 6 0V8.5',
  info: 'M16.75 10a6.75 6.75 0 1 1-13.5 0 6.75 6.75 0 0 1 13.5 0zM10 9.5v3.75M10 6.9v.01',
  warn: 'M8.7 4.2a1.5 1.5 0 0 1 2.6 0l5.4 9.4a1.5 1.5 0 0 1-1.3 2.2H4.6a1.5 1.5 0 0 1-1.3-2.2zM10 8v3.2M10 13.4v.01',
  ban: 'M16.75 10a6.75 6.75 0 1 1-13.5 0 6.75 6.75 0 0 1 13.5 0zM5.25 5.25l9.5 9.5',
  check: 'M4.5 10.5l3.75 3.75 7.25-8.5',
  key: 'M12.5 7.5a3.5 3.5 0 1 1-4.9 3.2L3.5 14.8V17h3v-2h2v-1.9l.7-.7a3.5 3.5 0 0 0 3.3-4.9zM13 7v.01',
  device: 'M4 5.5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1V13H4zM2.5 15.5h15',
  out: 'M8 4.5H5.5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1H8M12 13l3-3-3-3M15 10H8',
}

/** A 16 px icon in the color of the text. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
