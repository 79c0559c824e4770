import type { ReactNode } from 'react'

/**
 * A view's sentence and its second line. Waiting is told politely, failure at once.
 */
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
