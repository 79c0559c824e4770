import type { ReactNode } from 'react'

import { info, warn } from '../icons/base.ts'
import css from '../styles/note.css?inline'
import { Icon } from './Icon.tsx'
import { Style } from './Style.tsx'

/** A notice in a panel. Its icon repeats the meaning of its color. */
export function Note(props: {
  kind?: 'info' | 'good' | 'warn' | 'bad'
  icon?: string | undefined
  title?: ReactNode
  children: ReactNode
  /** Rendered after the text, for example a close button. */
  end?: ReactNode
  role?: 'status' | 'alert'
}) {
  const isAlert = props.kind === 'warn' || props.kind === 'bad'
  return (
    <>
      <Style css={css} />
      <div className="gf-note" data-kind={props.kind} role={props.role}>
        <Icon d={props.icon ?? (isAlert ? warn : info)} />
        <div>
          {props.title && <b>{props.title}</b>}
          {props.children}
        </div>
        {props.end}
      </div>
    </>
  )
}
