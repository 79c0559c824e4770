import { useSyncExternalStore } from 'react'

import { Card } from '../Card.tsx'
import type { CardProps, FacingPage } from '../Card.tsx'
import { Style } from '../parts/Style.tsx'
import css from '../styles/wide.css?inline'
import { Contents } from './Contents.tsx'
import { Guide } from './Guide.tsx'

/** The window size from which both pages fit. */
const query = '(min-width: 740px) and (min-height: 600px)'

const facing: FacingPage = {
  Page: Contents,
  guide: { entry: { name: 'WhatIsAWallet' }, module: { View: Guide }, depth: 1 },
}

/**
 * The card with two facing pages while the visitor connects: the connect
 * methods, and the current step. Compact in small windows and for all other
 * views.
 *
 * @see docs/views.md#wide-layout
 */
export function Wide(props: CardProps) {
  const fits = useSyncExternalStore(watchWindow, () => matchMedia(query).matches)
  const isConnecting = props.view.history[0]?.name === 'Connect'
  return (
    <>
      <Style css={css} />
      <Card {...props} facing={fits && isConnecting ? facing : undefined} />
    </>
  )
}

function watchWindow(listener: () => void): () => void {
  const size = matchMedia(query)
  size.addEventListener('change', listener)
  return () => size.removeEventListener('change', listener)
}
