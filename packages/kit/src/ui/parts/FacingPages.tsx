import type { ReactNode } from 'react'

import type { Art } from '../../core/wallets/art.ts'
import { check, clock, close, go, spin } from '../icons/base.ts'
import { Artwork } from './Artwork.tsx'
import { Icon } from './Icon.tsx'

export type FacingPagesState = 'on' | 'wait' | 'bad' | 'late' | 'good'
export type FacingPagesSide = Art & {
  /** Shown if there is no picture, instead of a plate. */
  icon?: string
  /** Shown if there is no picture, instead of plate and icon. */
  children?: ReactNode
}

const icons: Record<FacingPagesState, string> = {
  on: go,
  wait: spin,
  bad: close,
  late: clock,
  good: check,
}

/**
 * Two facing pages for the two sides of a connection or a network switch, with its state on the fold
 * between them. Hidden from assistive technology: the message below has the same information.
 */
export function FacingPages(props: {
  state: FacingPagesState
  from: FacingPagesSide
  to: FacingPagesSide
}) {
  const { state, from, to } = props
  return (
    <div className="gf-facing-pages" data-state={state} aria-hidden>
      <Page {...from} />
      <Page {...to} />
      <span className="gf-facing-state">
        <Icon d={icons[state]} spin={state === 'wait'} flip={state === 'on'} />
      </span>
    </div>
  )
}

function Page({ name, ...art }: FacingPagesSide) {
  return (
    <div className="gf-facing-page">
      <Artwork size={56} name={art.icon ? undefined : name} {...art} />
      <small dir="auto">{name}</small>
    </div>
  )
}
