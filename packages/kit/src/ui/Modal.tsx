import { useEffect, useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { isConnected } from '../core/connection/account.ts'
import { reset, safeClose } from '../core/view/navigate.ts'
import { preload } from '../core/kit/preload.ts'
import { currentView } from '../core/view/view.ts'
import { useKit, useKitState } from '../react/context.ts'
import { Card } from './Card.tsx'
import { afterPaint } from './hooks/afterPaint.ts'
import { Style } from './parts/Style.tsx'
import { useExiting } from './hooks/useExiting.ts'
import { useRootProps } from './hooks/useRootProps.ts'
import { TextContext, useCatalogue } from './hooks/useText.ts'
export { connectWallet } from '../core/connection/connect.ts'
import baseCss from './styles/base.css?inline'

/**
 * The modal of the surrounding provider's instance: one element at the end of the page's body, or,
 * with `disableAppend`, where it is rendered.
 *
 * @see spec §2.13.1
 */
export function Modal() {
  const kit = useKit()
  const destroyed = useDestroyed()
  if (destroyed) return null
  const root = (
    <Root>
      <Cover />
    </Root>
  )
  return kit.options.disableAppend ? root : createPortal(root, document.body)
}

/** The card in the page itself: no cover, nothing locked, focus free. @see spec §2.7.2 */
export function Panel() {
  const kit = useKit()
  const view = useKitState((state) => state.view)
  const destroyed = useDestroyed()
  useEffect(() => {
    void kit.open()
    return () => kit.close()
  }, [kit])
  useEffect(() => {
    // A connection restored after the panel was drawn.
    if (isConnected(kit.getState()) && currentView(kit.getState().view).name === 'Connect')
      reset(kit, { name: 'Account' })
  }, [kit])
  return destroyed ? null : (
    <Root>
      <Card view={view} open embedded />
    </Root>
  )
}

function Root({ children }: { children: ReactNode }) {
  const kit = useKit()
  const open = useKitState((state) => state.view.open)
  useEffect(() => {
    if (open) return afterPaint(() => preload(kit))
  }, [kit, open])
  const props = useRootProps()
  const catalogue = useCatalogue()
  return (
    <TextContext value={catalogue}>
      <div {...props}>
        <Style css={baseCss} />
        {children}
      </div>
    </TextContext>
  )
}

/** How long the card takes to leave, in ms: `--gf-t-2`. */
const leaveMs = 125

/**
 * The cover and the card on it while the modal is open. Mounted before it is first opened, it draws and
 * lays out the wallet list once where nobody sees it, so that the first click finds elements, styles and
 * fonts ready.
 */
function Cover() {
  const kit = useKit()
  const view = useKitState((state) => state.view)
  const connected = useKitState(isConnected)
  const leaving = useExiting(view.open || undefined, leaveMs)
  // What is on screen while the card leaves is what was there when it was closed.
  const [shown, setShown] = useState(view)
  const [ready, setReady] = useState(false)
  const [pressed, setPressed] = useState(false)
  const [card, setCard] = useState(0)
  if (view.open && view !== shown) {
    setShown(view)
    // Another view than the one made ready: it says no farewell to what nobody saw.
    if (!shown.open && currentView(view) !== currentView(shown)) setCard(card + 1)
  }
  const ahead = !view.open && !shown.open && !connected
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- laid out and measured first, then taken out of sight before a frame is painted
    if (ahead) setReady(true)
  }, [ahead])
  if (!view.open && !leaving && !ahead) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the pointer's way out; keys have Escape and the cross
    <div
      className="gf-cover"
      hidden={ahead && ready}
      data-ending-style={view.open || ahead ? undefined : ''}
      // Only a press that begins and ends on the cover itself; a text selection may end there.
      onPointerDown={(event) => setPressed(event.target === event.currentTarget)}
      onClick={(event) => {
        if (pressed && event.target === event.currentTarget) safeClose(kit)
      }}
    >
      <Card key={card} view={shown} open={view.open} />
    </div>
  )
}

function useDestroyed(): boolean {
  const kit = useKit()
  const [destroyed, setDestroyed] = useState(false)
  useEffect(() => kit.onDestroy(() => setDestroyed(true)), [kit])
  return destroyed
}
