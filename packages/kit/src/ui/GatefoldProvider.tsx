import { QueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'

import type { Kit } from '../core/kit/Kit.ts'
import { KitContext, useKit, useKitState } from '../react/context.ts'

/**
 * Gives a page its Gatefold instance and draws the modal when it is first asked for.
 *
 * @param props.queryClient - the host's TanStack Query client, to share its cache and settings
 */
export function GatefoldProvider(props: {
  kit: Kit
  queryClient?: QueryClient | undefined
  children?: ReactNode
}) {
  const { kit, children } = props
  const [own] = useState(() => props.queryClient ?? new QueryClient())
  const queryClient = props.queryClient ?? own
  const context = useMemo(() => ({ kit, queryClient }), [kit, queryClient])
  // With `ssr` this is the moment after hydration: from here on storage and wallets may be read.
  useEffect(() => kit.start(), [kit])
  return (
    <KitContext value={context}>
      {children}
      {!kit.options.disableAppend && !kit.options.enableEmbedded && <GatefoldModal />}
    </KitContext>
  )
}

/** Loads the modal's code: called by whatever is about to need it. */
export const loadModal = () => import('./Modal.tsx')

/**
 * The modal, mounted once its code is there. The provider renders it itself unless `disableAppend` is
 * set: then the site places it where it wants it.
 *
 * Code that comes before the click is drawn unseen in the browser's spare time; code that comes after it
 * is drawn at once. No Suspense: React delays the reveal of a suspended boundary, and the card has to be
 * on screen in the frame after the click.
 */
export function GatefoldModal() {
  const kit = useKit()
  const wanted = useKitState((state) => state.view.open)
  const [Modal, setModal] = useState<ComponentType>()
  const load = useCallback(async () => {
    const module = await loadModal()
    const mount = () => setModal(() => module.Modal)
    if (kit.getState().view.open) flushSync(mount)
    else startTransition(mount)
  }, [kit])
  // On its way before React has heard of the click, or before there is one.
  useEffect(() => {
    if (!Modal) return kit.onPrefetch(() => void load().catch(() => {}))
  }, [kit, load, Modal])
  useEffect(() => {
    if (!wanted || Modal) return
    let stale = false
    load().catch((error: unknown) => {
      // Nothing can be drawn without the code: the next click tries again.
      // oxlint-disable-next-line no-console -- the message is for the site's developer
      console.error('Gatefold: the modal could not be loaded.', error)
      if (!stale) kit.close()
    })
    return () => {
      stale = true
    }
  }, [kit, load, wanted, Modal])
  return Modal ? <Modal /> : null
}
