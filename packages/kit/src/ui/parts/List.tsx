import type { ReactNode } from 'react'

import { moveFocus } from '../hooks/moveFocus.ts'
import { chevron } from '../icons/base.ts'
import { Icon } from './Icon.tsx'

/** A panel of rows. Arrow keys, Home and End move the focus between them. */
export function List(props: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keyboard navigation for the rows inside
    <ul className="gf-list" aria-label={props.label} onKeyDown={moveFocus}>
      {props.children}
    </ul>
  )
}

/**
 * The attributes of a row's `li`. The position is for assistive technology, which cannot count rows that are not in the
 * document.
 */
export type RowItem = {
  ref: ((element: HTMLLIElement | null) => void) | undefined
  'aria-posinset': number
  'aria-setsize': number
}

/**
 * A row of a list: image, title, note. Not interactive without `onClick` and `href`. Long text is truncated
 * at its end, whichever direction it is written in.
 *
 * @param props.current - whether the row is the active one, marked by an accent bar and `aria-current`
 * @param props.note - the second line
 * @param props.item - attributes of the list item
 */
export function Row(props: {
  start?: ReactNode
  title: ReactNode
  note?: ReactNode
  end?: ReactNode
  current?: boolean | undefined
  disabled?: boolean
  /** Ignores clicks but stays focusable. */
  busy?: boolean
  href?: string | undefined
  onClick?: () => void
  item?: RowItem | undefined
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
    <li {...props.item}>
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

/** The chevron at the end of a row that opens a view. */
export function RowChevron() {
  return <Icon d={chevron} size={16} flip />
}

/** A short label in a row. */
export function Tag(props: { kind?: 'accent' | 'good' | 'warn'; children: ReactNode }) {
  return (
    <span className="gf-tag" data-kind={props.kind}>
      {props.children}
    </span>
  )
}

/**
 * The placeholder for a row that is loading, with the same height as the row. @param props.isRound - whether the row
 * is about a coin
 */
export function RowSkeleton({ isRound }: { isRound?: boolean }) {
  return (
    <li className="gf-row" aria-hidden>
      <span
        className="gf-skeleton"
        style={{
          inlineSize: 'calc(var(--gf-u) * 40)',
          aspectRatio: 1,
          borderRadius: isRound ? '50%' : 'var(--gf-r-icon)',
        }}
      />
      <span className="gf-skeleton" style={{ inlineSize: '38%', blockSize: 'var(--gf-s-12)' }} />
    </li>
  )
}
