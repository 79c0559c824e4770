import type { ReactNode } from 'react'

import { moveFocus } from '../hooks/moveFocus.ts'

/** One shaded panel of rows. Arrow keys, Home and End move between them. */
export function List(props: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the rows inside
    <ul className="gf-list" aria-label={props.label} onKeyDown={moveFocus}>
      {props.children}
    </ul>
  )
}

/**
 * A line on a leaf: picture, name, and what is known about it. Without `onClick` and `href` it is
 * only read. A line that is too long is cut at its own end, whichever way the page runs.
 *
 * @param props.current - the one in use: marked by the ribbon, and told to screen readers
 * @param props.reason - why it is off; stands on the second line
 */
export function Row(props: {
  start?: ReactNode
  title: ReactNode
  note?: ReactNode
  end?: ReactNode
  current?: boolean
  disabled?: boolean
  /** Something is under way: a press does nothing, but the focus stays. */
  busy?: boolean
  href?: string | undefined
  onClick?: () => void
}) {
  const { disabled, busy, href, onClick } = props
  const content = (
    <>
      {props.start}
      <span className="gf-row-text">
        <b dir="auto">{props.title}</b>
        {props.note && <small dir="auto">{props.note}</small>}
      </span>
      {props.end}
    </>
  )
  const common = { className: 'gf-row', 'aria-current': props.current || undefined, onClick }
  return (
    <li>
      {href ? (
        <a {...common} href={href} target="_blank" rel="noopener noreferrer">
          {content}
        </a>
      ) : onClick ? (
        <button
          type="button"
          {...common}
          disabled={disabled}
          aria-disabled={busy || undefined}
          onClick={busy ? undefined : onClick}
        >
          {content}
        </button>
      ) : (
        <div {...common}>{content}</div>
      )}
    </li>
  )
}

/** A word about a row. */
export function Tag(props: { kind?: 'accent' | 'good' | 'bad' | 'warn'; children: ReactNode }) {
  return (
    <span className="gf-tag" data-kind={props.kind}>
      {props.children}
    </span>
  )
}

/** A row that is still on its way, of the same height. */
export function RowSkeleton() {
  return (
    <li className="gf-row" aria-hidden>
      <span
        className="gf-skeleton"
        style={{
          inlineSize: 'calc(var(--gf-u) * 40)',
          aspectRatio: 1,
          borderRadius: 'var(--gf-r-icon)',
        }}
      />
      <span className="gf-skeleton" style={{ inlineSize: '38%', blockSize: 'var(--gf-s-12)' }} />
    </li>
  )
}
