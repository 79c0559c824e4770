import type { ReactNode } from 'react'

type OpeningProps = {
  heading: string
  /** One line under the rule. */
  line: string
  /** What there is to do. */
  children: ReactNode
}

/** A title page: heading, rule, one line, and what to do. */
export function Opening({ heading, line, children }: OpeningProps) {
  return (
    <main className="opening">
      <h1>{heading}</h1>
      <hr className="rule" />
      <p className="line">{line}</p>
      <div className="do">{children}</div>
    </main>
  )
}
