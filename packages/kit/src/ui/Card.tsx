import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ComponentType, RefObject } from 'react'

import { goBack, push } from '../core/view/navigate.ts'
import { safeClose } from '../core/view/safeClose.ts'
import { currentView } from '../core/view/view.ts'
import type { ViewEntry, ViewState } from '../core/view/view.ts'
import { useInstance, useKitState } from '../react/context.ts'
import { back, close, help } from './icons/base.ts'
import { afterPaint } from './hooks/afterPaint.ts'
import { inertRef } from './hooks/inertRef.ts'
import { Button } from './parts/Button.tsx'
import { Empty } from './parts/Empty.tsx'
import { IconButton } from './parts/IconButton.tsx'
import { List, RowSkeleton } from './parts/List.tsx'
import { Toast } from './parts/Toast.tsx'
import { useDialog } from './hooks/useDialog.ts'
import { useExiting } from './hooks/useExiting.ts'
import { useLazyModule } from './hooks/useLazyModule.ts'
import { useRootProps } from './hooks/useRootProps.ts'
import { useText } from './hooks/useText.ts'
import { shellText } from './strings/shell.ts'
import {
  cardText,
  loadView,
  prefetchAfterInput,
  resolveView,
  titleOf,
  viewModule,
} from './views.ts'
import type { ViewModule } from './views.ts'

/** A history entry with the module that renders it and its depth in the history. */
export type Screen = { entry: ViewEntry; module: ViewModule; depth: number }

export type CardProps = {
  view: ViewState
  open: boolean
  /** Rendered before the modal opens: hidden, and not yet a dialog. */
  closed?: boolean
  embedded?: boolean
  /** The page to render beside the view, in the wide layout. */
  facing?: FacingPage | undefined
}

export type FacingPage = {
  Page: ComponentType<{ view: ViewState; titleId: string }>
  /** The screen to render instead of Connect, which `Page` renders. */
  guide: Screen
}

/** Duration of a view's exit animation, in ms: `--gf-t-1`. The animation of its title is shorter. */
const exitMs = 75

/** Delay before the skeleton of a loading view is shown, in ms. */
const slowMs = 200

/**
 * The card: header, alerts, view and toast. It is a dialog over the page or, if embedded, a region in the
 * page.
 *
 * @see spec §2.4, §2.5, §2.12.2, §4.3.3; docs/views.md#shell
 */
export function Card(props: CardProps) {
  const { view, open, closed, embedded = false, facing } = props
  const kit = useInstance()
  const card = useRef<HTMLDivElement>(null)
  const title = useId()
  const { screen: found, busy } = useScreen(view)
  const screen = facing && found.entry.name === 'Connect' ? facing.guide : found
  const previous = useExiting(screen, exitMs)
  // When a view replaces its skeleton, the skeleton has no exit animation.
  const exiting = previous?.entry === screen.entry ? undefined : previous
  const { dir } = useRootProps()
  const onEscape = useCallback(() => safeClose(kit), [kit])
  useDialog(card, { onEscape, enabled: open && !embedded })
  useFocusAfter(screen, card, embedded)

  useEffect(() => {
    if (!open) return
    return afterPaint(() => {
      for (const next of found.module.next ?? []) loadView(next).catch(() => {})
    })
  }, [found, open])

  const onInput = () => prefetchAfterInput(found.module)
  // Every element inherits `--direction`: 1 moves views to the left, -1 to the right. A closed card has the
  // direction of forward navigation, because opening the modal moves forward.
  const direction = (closed || view.direction === 'next' ? 1 : -1) * (dir === 'rtl' ? -1 : 1)
  const page = (
    <>
      <Header
        screen={screen}
        exiting={exiting}
        titleId={facing ? title + 2 : title}
        embedded={embedded}
      />
      <Alerts />
      <Port screen={screen} exiting={exiting} />
      <Toast />
    </>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- any input in the card, not a click on it
    <div
      ref={card}
      className="gf-card"
      role={embedded ? 'region' : closed ? undefined : 'dialog'}
      aria-modal={embedded || closed ? undefined : true}
      aria-labelledby={closed ? undefined : title}
      aria-busy={busy || undefined}
      tabIndex={-1}
      onPointerMove={onInput}
      onPointerDown={onInput}
      onKeyDown={onInput}
      data-embedded={embedded ? '' : undefined}
      data-view={found.entry.name}
      data-wide={facing && ''}
      data-shake={view.shake ? '' : undefined}
      style={{ '--direction': direction }}
    >
      {facing ? (
        <>
          <facing.Page view={view} titleId={title} />
          <section className="gf-page" aria-labelledby={title + 2}>
            {page}
          </section>
        </>
      ) : (
        page
      )}
    </div>
  )
}

const Header = memo(function Header(props: {
  screen: Screen
  exiting: Screen | undefined
  titleId: string
  embedded: boolean
}) {
  const { screen, exiting, titleId, embedded } = props
  const { Heading, Leading } = screen.module
  const kit = useInstance()
  const t = useText(shellText)
  return (
    <header className="gf-header">
      {Leading ? (
        <Leading />
      ) : screen.depth > 1 ? (
        <IconButton
          key="back"
          icon={back}
          flip
          label={t('shell.back')}
          onClick={() => goBack(kit)}
        />
      ) : screen.entry.name === 'Connect' ? (
        <IconButton
          key="help"
          icon={help}
          label={t('title.WhatIsAWallet')}
          onClick={() => push(kit, { name: 'WhatIsAWallet' })}
        />
      ) : (
        <span />
      )}
      <div className="gf-heading">
        {exiting && !exiting.module.Heading && (
          <Title key={keyOf(exiting)} screen={exiting} ending />
        )}
        {Heading && <Heading />}
        <Title key={keyOf(screen)} screen={screen} id={titleId} entering={Boolean(exiting)} />
      </div>
      {embedded ? (
        <span />
      ) : (
        <IconButton icon={close} label={t('shell.close')} onClick={() => safeClose(kit)} />
      )}
    </header>
  )
})

const loadAlerts = () => import('./parts/AlertBar.tsx')

/**
 * Alerts for the site's developer: loaded with the first alert, since only sites with `debug` show
 * alerts.
 */
function Alerts() {
  const any = useKitState((state) => state.alerts.length > 0)
  const module = useLazyModule(any, loadAlerts)
  return any && module ? <module.Alerts /> : null
}

function Title(props: { screen: Screen; id?: string; entering?: boolean; ending?: boolean }) {
  const { screen, id, entering, ending } = props
  const { Title: Changing } = screen.module
  const t = useText(cardText)
  const title = useKitState((state) => titleOf(screen.entry, state, t))
  return (
    <h2
      id={id}
      className={screen.module.Heading ? 'gf-hidden' : 'gf-title'}
      data-enter={entering ? '' : undefined}
      data-ending-style={ending ? '' : undefined}
      aria-hidden={ending}
    >
      {Changing ? <Changing /> : title}
    </h2>
  )
}

/** The clipping container of views. Its height animates to the height of the view. */
const Port = memo(function Port({
  screen,
  exiting,
}: {
  screen: Screen
  exiting: Screen | undefined
}) {
  const port = useRef<HTMLDivElement>(null)
  const view = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = view
    const { current: box } = port
    if (!current || !box) return
    let isPressed = false
    const updateHeight = () => {
      if (isPressed) return
      const height = current.offsetHeight
      // The height is 0 inside `display: none`.
      if (height === 0) return
      const before = box.offsetHeight
      box.style.blockSize = `${height}px`
      // Shows a shadow at the lower edge, which then fades out.
      if (height > before + 8 && before > 0 && box.checkVisibility({ visibilityProperty: true })) {
        box.toggleAttribute('data-growing', true)
        requestAnimationFrame(() => box.removeAttribute('data-growing'))
      }
    }
    // A centered card moves with its height: a button that leaves a pressed pointer would get no click.
    const onPress = () => {
      isPressed = true
      box.style.blockSize = `${box.offsetHeight}px`
    }
    const onRelease = () => {
      // Also called for presses elsewhere in the page, which must not force a layout.
      if (!isPressed) return
      isPressed = false
      updateHeight()
    }
    box.addEventListener('pointerdown', onPress)
    addEventListener('pointerup', onRelease)
    addEventListener('pointercancel', onRelease)
    // The observer calls `updateHeight` before the next paint, without forcing a layout while React commits.
    const sizes = new ResizeObserver(updateHeight)
    const observe = () => sizes.observe(current)
    // Without a height to animate from, the first one is not needed for the first paint.
    const cancel = box.style.blockSize ? observe() : afterPaint(observe)
    return () => {
      cancel?.()
      box.removeEventListener('pointerdown', onPress)
      removeEventListener('pointerup', onRelease)
      removeEventListener('pointercancel', onRelease)
      sizes.disconnect()
    }
  }, [screen])
  const { View } = screen.module
  return (
    <div className="gf-port" ref={port}>
      {exiting && (
        <div className="gf-view" key={keyOf(exiting)} data-ending-style="" ref={inertRef(true)}>
          <exiting.module.View data={exiting.entry.data} />
        </div>
      )}
      <div className="gf-view" key={keyOf(screen)} ref={view} data-enter={exiting ? '' : undefined}>
        <View data={screen.entry.data} />
      </div>
    </div>
  )
})

/**
 * The screen to render for the current entry. While its chunk loads, the previous screen stays for
 * `slowMs`, then a skeleton is shown. A failed load shows an error with a retry button.
 */
function useScreen(view: ViewState): { screen: Screen; busy: boolean } {
  const kit = useInstance()
  const entry = currentView(view)
  const target = useMemo(() => resolveView(kit, entry), [kit, entry])
  const module = viewModule(target.name)
  const [failed, setFailed] = useState<{ entry: ViewEntry; times: number; retrying?: boolean }>()
  const [slow, setSlow] = useState<ViewEntry>()
  const [, setArrived] = useState(0)
  const depth = view.history.length
  const times = failed?.entry === target && !failed.retrying ? failed.times : 0

  useEffect(() => {
    if (module || times > 0) return
    let stale = false
    const timer = setTimeout(() => setSlow(target), slowMs)
    loadView(target.name).then(
      () => !stale && setArrived((count) => count + 1),
      () =>
        !stale &&
        setFailed((before) => ({
          entry: target,
          times: before?.entry === target ? before.times + 1 : 1,
        })),
    )
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [module, target, times])

  const loadedScreen = useMemo<Screen | undefined>(() => {
    if (module) return { entry: target, module, depth }
    if (times === 0) return undefined
    return {
      entry: target,
      module: {
        View: () => (
          <Failed
            again={times > 1}
            onRetry={() => setFailed((now) => now && { ...now, retrying: true })}
          />
        ),
      },
      depth,
    }
  }, [module, target, depth, times])
  const [shown, setShown] = useState(loadedScreen)
  if (loadedScreen && loadedScreen !== shown) setShown(loadedScreen)
  const screen = loadedScreen ?? (slow === target ? undefined : shown)
  const pending = useMemo<Screen>(
    () => ({ entry: target, module: { View: Pending }, depth }),
    [target, depth],
  )
  return { screen: screen ?? pending, busy: !loadedScreen }
}

/**
 * The error shown when a view's chunk failed to load. Browsers cache a failed import for the lifetime of
 * the page, so after a second failure, if online, the button reloads the page.
 *
 * @see https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-single-module-script
 */
function Failed({ again, onRetry }: { again: boolean; onRetry: () => void }) {
  const t = useText(shellText)
  const reload = again && navigator.onLine
  return (
    <div className="gf-body">
      <Empty plate="torn" role="alert" title={t('shell.loadFailed')}>
        {t(reload ? 'shell.reloadHint' : 'shell.loadFailedHint')}
      </Empty>
      <Button kind="primary" onClick={reload ? () => location.reload() : onRetry}>
        {t(reload ? 'shell.reload' : 'shell.tryAgain')}
      </Button>
    </div>
  )
}

function Pending() {
  const t = useText(shellText)
  return (
    <div className="gf-body">
      <List label={t('shell.loading')}>
        <RowSkeleton />
        <RowSkeleton />
        <RowSkeleton />
      </List>
    </div>
  )
}

/** Moves the focus to the card when the view that contains the focus changes, or the focused element is removed. */
function useFocusAfter(
  screen: Screen,
  card: RefObject<HTMLElement | null>,
  embedded: boolean,
): void {
  const first = useRef(screen)
  useLayoutEffect(() => {
    const { current } = card
    if (first.current === screen || !current) return
    first.current = screen
    const { activeElement } = document
    const inView = current.querySelector('.gf-port')?.contains(activeElement)
    const lost = !embedded && (!activeElement || activeElement === document.body)
    if (inView || lost) current.focus({ preventScroll: true })
  }, [screen, card, embedded])
  useEffect(() => {
    const { current } = card
    if (!current) return
    let lastFocused: Node | undefined
    const onFocusIn = (event: FocusEvent) => void (lastFocused = event.target as Node)
    const changes = new MutationObserver(() => {
      if (!lastFocused || lastFocused.isConnected) return
      lastFocused = undefined
      if (document.activeElement === document.body) current.focus({ preventScroll: true })
    })
    current.addEventListener('focusin', onFocusIn)
    changes.observe(current, { childList: true, subtree: true })
    return () => {
      current.removeEventListener('focusin', onFocusIn)
      changes.disconnect()
    }
  }, [card])
}

const keys = new WeakMap<ViewEntry, number>()
let keyCount = 0

/** A React key per entry, so that returning to an entry reuses its element during the exit animation. */
function keyOf({ entry }: Screen): number {
  const key = keys.get(entry) ?? ++keyCount
  keys.set(entry, key)
  return key
}
