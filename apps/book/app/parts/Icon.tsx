/** Icon paths on a 20-unit grid, with 1.5 px strokes. */
const paths = {
  chat: 'M4 5.75C4 4.8 4.8 4 5.75 4h8.5c1 0 1.75.8 1.75 1.75v6c0 1-.8 1.75-1.75 1.75H9L5.5 16.2v-2.7C4.6 13.4 4 12.7 4 11.75z',
  globe:
    'M10 3.25a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 0 0 0-13.5zM3.5 10h13M10 3.25c2 2 2.75 4.2 2.75 6.75S12 14.75 10 16.75c-2-2-2.75-4.2-2.75-6.75S8 5.25 10 3.25z',
  star: 'm10 3.5 1.9 4.1 4.5.5-3.3 3 .9 4.4L10 13.3l-4 2.2.9-4.4-3.3-3 4.5-.5z',
  down: 'm5 8 5 5 5-5',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  pen: 'M11.75 5.25 14.75 8.25M4 16l.75-3.75 8-8a2.1 2.1 0 0 1 3 3l-8 8z',
  send: 'M16.25 3.75 3.5 8.6l5.3 2.6 2.6 5.3zM8.8 11.2l3.1-3.1',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  back: 'M8.5 4.5 3.5 10l5 5.5M3.75 10h12.75',
  pause: 'M7.25 5v10M12.75 5v10',
  play: 'M7 4.75v10.5L15 10z',
  info: 'M10 3.25a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 0 0 0-13.5zM10 9.25v4M10 6.6v.05',
} as const

export type IconName = keyof typeof paths

/** A decorative icon; the control around it needs its own text or label. */
export function Icon({ name }: { name: IconName }) {
  return <PathIcon d={paths[name]} />
}

/** A decorative icon from its path, for icons that only one module uses. */
export function PathIcon({ d }: { d: string }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}
