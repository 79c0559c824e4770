import type { ReactNode } from 'react'

import css from '../../styles/facts.css?inline'
import { Style } from '../Style.tsx'

/** A panel of facts, each with its label. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <>
      <Style css={css} />
      <dl className="gf-facts">{children}</dl>
    </>
  )
}

export function Fact(props: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
