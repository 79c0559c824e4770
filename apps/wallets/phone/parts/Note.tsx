import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** A boxed notice. Its text must also convey the meaning of its color. */
export function Note(props: {
  kind: 'good' | 'warn' | 'bad' | 'plain'
  icon: IconName
  title?: string
  role?: 'alert' | 'status'
  children?: ReactNode
}) {
  const { kind, icon, title, role, children } = props
  return (
    <div className="note" data-kind={kind} role={role}>
      <Icon name={icon} />
      <div>
        {title && <b>{title}</b>}
        {children}
      </div>
    </div>
  )
}
