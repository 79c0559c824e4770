import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/Icon.tsx'

type RequestStatusProps = {
  /** `declined` is not an error. */
  kind: 'pending' | 'done' | 'declined' | 'failed'
  children: ReactNode
}

const icons: Record<'done' | 'declined' | 'failed', IconName> = {
  done: 'check',
  declined: 'info',
  failed: 'info',
}

/** The status of a wallet request. */
export function RequestStatus({ kind, children }: RequestStatusProps) {
  return (
    <div className="status" data-kind={kind} role={kind === 'failed' ? 'alert' : 'status'}>
      {kind === 'pending' ? <span className="spinner" /> : <Icon name={icons[kind]} />}
      <div>{children}</div>
    </div>
  )
}
