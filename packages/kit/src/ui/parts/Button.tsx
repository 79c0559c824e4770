import type { ReactNode } from 'react'

import { spin } from '../icons/base.ts'
import { Icon } from './Icon.tsx'

/**
 * A full-width button.
 *
 * @param props.busy - shows a spinner; a button then ignores clicks but stays focusable
 * @param props.href - renders a link instead of a button; it opens in a new
 *   tab, except with `sameWindow`
 */
export function Button(props: {
  children: ReactNode
  kind?: 'primary' | 'bad' | 'quiet'
  icon?: string
  busy?: boolean
  disabled?: boolean
  href?: string | undefined
  /** Opens the link in this tab, for links to an app on this device. */
  sameWindow?: boolean
  onClick?: () => void
}) {
  const { kind, href, busy, disabled, onClick } = props
  const content = (
    <>
      {(busy || props.icon) && (
        <Icon d={busy ? spin : props.icon!} size={16} spin={busy ?? false} />
      )}
      <span>{props.children}</span>
    </>
  )
  if (href)
    return (
      <a
        className="gf-button"
        data-kind={kind}
        href={href}
        target={props.sameWindow ? undefined : '_blank'}
        rel="noopener noreferrer"
        onClick={onClick}
      >
        {content}
      </a>
    )
  return (
    <button
      type="button"
      className="gf-button"
      data-kind={kind}
      // Not `disabled`, which would drop the focus.
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={busy ? undefined : onClick}
    >
      {content}
    </button>
  )
}
