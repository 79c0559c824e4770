import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { isConnected } from '../core/connection/account.ts'
import { preload, preloadSuggestions } from '../core/kit/preload.ts'
import { reset } from '../core/view/navigate.ts'
import { safeClose } from '../core/view/safeClose.ts'
import { whenIdle } from '../core/platform/whenIdle.ts'
import { currentView } from '../core/view/view.ts'
import { useInstance, useKitState } from '../react/context.ts'
import { Card } from './Card.tsx'
import { afterPaint } from './hooks/afterPaint.ts'
import { needsConsent } from './parts/Legal.tsx'
import { Style } from './parts/Style.tsx'
import { useExiting } from './hooks/useExiting.ts'
import { useLazyModule } from './hooks/useLazyModule.ts'
import { useRootProps } from './hooks/useRootProps.ts'
import { TextContext, useCatalog } from './hooks/useText.ts'
import baseCss from './styles/base.css?inline'

/**
 * The modal of the surrounding provider's instance: one element at the end of the page's body, or,
 * with `disableAppend`, where it is rendered.
 *
 * @see spec §2.13.1
 */
export function Modal() {
  const kit = useInstance()
  const destroyed = useDestroyed()
  if (destroyed) return null
  const root = (
    <Root>
      <Cover />
    </Root>
  )
  return kit.options.disableAppend ? root : createPortal(root, document.body)
}

/** The card inside the page: no cover, no scroll lock, no focus trap. @see spec §2.7.2 */
export function Panel() {
  const kit = useInstance()
  const view = useKitState((state) => state.view)
  const destroyed = useDestroyed()
  useEffect(() => {
    void kit.open()
    return () => kit.close()
  }, [kit])
  useEffect(() => {
    // `open` shows Connect unless the active chain family is connected; here, any family counts.
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
  const kit = useInstance()
  const open = useKitState((state) => state.view.open)
  useEffect(() => {
    return afterPaint(() => {
      // Before it is opened, the modal contacts no server.
      if (!open) return kit.options.endpoints.gateway ? undefined : preloadSuggestions(kit)
      for (const adapter of kit.adapters.values()) adapter.preload().catch(() => {})
      preload(kit)
    })
  }, [kit, open])
  const props = useRootProps()
  const catalog = useCatalog()
  return (
    <TextContext.Provider value={catalog}>
      <div {...props}>
        <Style css={baseCss} />
        {children}
      </div>
    </TextContext.Provider>
  )
}

/** Maximum time between the clicks of a double-click, in ms. */
const doubleClickMs = 500

/** Duration of the exit animation in ms: `--gf-t-2`. */
const exitMs = 125

/**
 * The stage of a complete card. A closed card is rendered in stages 1 to 4: box, header, first row, all rows
 * (`data-stage` in base.css).
 */
const lastStage = 5

/**
 * Excludes the card from the tab order and the accessibility tree until it is complete and its styles do so (base.css).
 * An attribute, because `inertRef` would remove it only after the opened dialog has tried to focus itself. A string,
 * because React 18 ignores `true`.
 */
const unreachable = { inert: 'inert' } as object

/** Loads the wide layout. If that fails, the card is compact. */
const loadWide = () => import('./chunks/wide.ts').catch(() => ({ Wide: undefined }))

/** Window width in px from which the wide layout is loaded. Whether it is used depends on the height too. */
const wideFrom = 740

/**
 * The cover with the card on it. While the modal is closed and no wallet is connected, the wallet list
 * is rendered hidden, so that opening the modal only has to reveal it. Each idle period renders one
 * stage, to avoid long tasks.
 *
 * @see docs/adr/0008-modal-rendered-ahead.md
 */
function Cover() {
  const kit = useInstance()
  const view = useKitState((state) => state.view)
  const connected = useKitState(isConnected)
  const exiting = useExiting(view.open || undefined, exitMs)
  // During the exit animation, shows the view that was closed.
  const [shown, setShown] = useState(view)
  const [stage, setStage] = useState(0)
  const [pressed, setPressed] = useState(false)
  const [card, setCard] = useState(0)
  const closed = !view.open && !exiting
  if (view !== shown && (view.open || closed)) {
    setShown(view)
    if (!shown.open || closed) {
      const reused = currentView(view) === currentView(shown) && !(closed && needsConsent(kit))
      // Remounts the card. Otherwise, the view that was rendered before would play its exit animation.
      if (!reused) setCard(card + 1)
      if (!reused && closed) setStage(0)
    }
  }
  if (view.open && stage !== lastStage) setStage(lastStage)
  if (closed && connected && stage !== 0) setStage(0)
  const root = useRef<HTMLDivElement>(null)
  const openedAt = useRef(0)
  useLayoutEffect(() => {
    if (view.open) openedAt.current = performance.now()
  }, [view.open])
  useLayoutEffect(() => {
    if (!closed) return
    for (const scroll of root.current?.querySelectorAll('.gf-scroll') ?? []) scroll.scrollTop = 0
  }, [closed])
  const isWide = kit.options.modalSize === 'wide' && innerWidth >= wideFrom
  const wide = useLazyModule(isWide, loadWide)
  const Shell = wide?.Wide ?? Card
  const drawing = closed && !connected && stage < lastStage
  useLayoutEffect(() => {
    const { current } = root
    // Recalculates the styles that inherited `inert`. Without this, the browser would do so on the first open, because the
    // card is now skipped.
    if (current && closed && !drawing)
      void getComputedStyle(current.querySelector('.gf-port')!).color
  }, [closed, drawing])
  useEffect(() => {
    if (!drawing) return
    let cancelIdle: (() => void) | undefined
    const cancelFrame = afterPaint(() => {
      cancelIdle = whenIdle(() => startTransition(() => setStage(stage + 1)))
    })
    return () => {
      cancelFrame()
      cancelIdle?.()
    }
  }, [drawing, stage])
  if ((isWide && !wide) || (closed && (connected || stage === 0))) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- for pointers only: keyboard users have Escape and the close button
    <div
      ref={root}
      className="gf-cover"
      data-closed={closed ? '' : undefined}
      data-stage={drawing ? stage : undefined}
      {...(drawing && unreachable)}
      data-ending-style={exiting && !view.open ? '' : undefined}
      // Ignores the second click of a double-click that opened the modal, because it would click something in
      // the modal.
      onClickCapture={(event) => {
        if (event.detail > 1 && event.timeStamp - openedAt.current < doubleClickMs) {
          event.preventDefault()
          event.stopPropagation()
        }
      }}
      // Closes only on a press that starts and ends on the cover: a text selection in the card may end
      // there.
      onPointerDown={(event) => setPressed(event.target === event.currentTarget)}
      onClick={(event) => {
        if (pressed && event.target === event.currentTarget) safeClose(kit)
      }}
    >
      <Shell key={card} view={shown} open={view.open} closed={closed} />
    </div>
  )
}

function useDestroyed(): boolean {
  const kit = useInstance()
  const [destroyed, setDestroyed] = useState(false)
  useEffect(() => kit.onDestroy(() => setDestroyed(true)), [kit])
  return destroyed
}
