import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/Icon.tsx'

type OutcomeProps = {
  /** Declining is an outcome and stays calm; a failure is told as one. */
  kind: 'busy' | 'done' | 'calm' | 'failed'
  children: ReactNode
}

const icons: Record<'done' | 'calm' | 'failed', IconName> = {
  done: 'check',
  calm: 'info',
  failed: 'info',
}

/** How a request to the wallet stands, in words. */
export function Outcome({ kind, children }: OutcomeProps) {
  return (
    <div className="outcome" data-kind={kind} role={kind === 'failed' ? 'alert' : 'status'}>
      {kind === 'busy' ? <span className="spinner" /> : <Icon name={icons[kind]} />}
      <div>{children}</div>
    </div>
  )
}
