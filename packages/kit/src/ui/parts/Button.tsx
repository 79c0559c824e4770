import type { ReactNode } from 'react'

import { spin } from '../icons/base.ts'
import { Icon } from './Icon.tsx'

/**
 * The wide action of a view.
 *
 * @param props.busy - a spinner leads the label, and a press does nothing; the width stays
 * @param props.href - makes it a link that opens beside the page
 */
export function Button(props: {
  children: ReactNode
  kind?: 'primary' | 'bad' | 'quiet'
  icon?: string
  busy?: boolean
  disabled?: boolean
  href?: string | undefined
  /** The link leads into an app on this device, so it stays in this window. */
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
      // A busy button keeps the focus, which a disabled one would drop.
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={busy ? undefined : onClick}
    >
      {content}
    </button>
  )
}
