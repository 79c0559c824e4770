import type { ReactNode } from 'react'

const plates = {
  /** A map and a magnifier: no search results. */
  search: [
    'm20 22 12-4 12 4 12-4v32l-12 4-12-4-12 4zM32 18v32M44 22v13M55.5 53.500l6.500 6.500',
    'M49 39a8 8 0 1 0 0 16a8 8 0 1 0 0-16z',
  ],
  /** A page with a folded corner: no content yet. */
  page: ['M20 14h22l12 12v32H20zM28 38h18M28 46h12', 'M42 14v12h12z'],
  /** A torn page: loading failed. */
  torn: ['M18 18h16l-4 12 5 8-4 18H18zM42 18h12v38H40l4-18-5-8z', 'M42 18h12v12z'],
} as const

/** An empty or failed state: a drawing, a title and a hint. */
export function Empty(props: {
  plate?: keyof typeof plates
  /** Two SVG paths on a 72-unit grid, instead of a plate. */
  drawing?: readonly [outline: string, facet: string]
  title: ReactNode
  children?: ReactNode
  role?: 'status' | 'alert'
}) {
  const [outline, facet] = props.drawing ?? plates[props.plate ?? 'page']
  return (
    <div className="gf-empty" role={props.role ?? 'status'}>
      <svg viewBox="0 0 72 72" aria-hidden>
        <path d={outline} />
        <path d={facet} />
      </svg>
      <b>{props.title}</b>
      {props.children && <p>{props.children}</p>}
    </div>
  )
}
