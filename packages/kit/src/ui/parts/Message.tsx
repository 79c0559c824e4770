import type { ReactNode } from 'react'

/** The headline of a view and its hint. `role` is `status` for progress, `alert` for errors. */
export function Message(props: {
  title: ReactNode
  children?: ReactNode
  role?: 'status' | 'alert'
}) {
  return (
    <div className="gf-message" role={props.role}>
      <h3>{props.title}</h3>
      {props.children && <p>{props.children}</p>}
    </div>
  )
}
