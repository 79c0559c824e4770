import type { ReactNode } from 'react'

type TitlePageProps = {
  heading: string
  /** One line below the rule. */
  line: string
  /** Actions. */
  children: ReactNode
}

/** A title page: heading, rule, one line and actions. */
export function TitlePage({ heading, line, children }: TitlePageProps) {
  return (
    <main className="title-page">
      <h1>{heading}</h1>
      <hr className="rule" />
      <p className="subtitle">{line}</p>
      <div className="actions">{children}</div>
    </main>
  )
}
