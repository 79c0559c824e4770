import { QueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'

import { instanceOf } from '../core/kit/Kit.ts'
import type { Kit } from '../core/kit/Kit.ts'
import { KitContext, useInstance, useKitState } from '../react/context.ts'

/**
 * Provides a Gatefold instance to a page and mounts its modal.
 *
 * @param props.queryClient - the host's TanStack Query client, to share its cache and settings
 */
export function GatefoldProvider(props: {
  kit: Kit
  queryClient?: QueryClient | undefined
  children?: ReactNode
}) {
  const { children } = props
  const kit = instanceOf(props.kit)
  const [own] = useState(() => props.queryClient ?? new QueryClient())
  const queryClient = props.queryClient ?? own
  const context = useMemo(() => ({ kit, queryClient }), [kit, queryClient])
  // With `ssr`, storage and wallets are not read before hydration; effects run after it.
  useEffect(() => kit.start(), [kit])
  return (
    <KitContext value={context}>
      {children}
      {!kit.options.disableAppend && !kit.options.enableEmbedded && <GatefoldModal />}
    </KitContext>
  )
}

/** Loads the modal's chunk. */
export const loadModal = () => import('./chunks/modal.ts')

/**
 * The modal, mounted once its chunk is loaded. Rendered by the provider or, with `disableAppend`, by the
 * site.
 *
 * If the chunk is loaded before the click, the modal is mounted in a transition, otherwise synchronously.
 *
 * @see docs/adr/0003-no-suspense-before-the-first-view.md
 */
export function GatefoldModal() {
  const kit = useInstance()
  const isOpen = useKitState((state) => state.view.open)
  const [Modal, setModal] = useState<ComponentType>()
  const load = useCallback(async () => {
    const module = await loadModal()
    const mount = () => setModal(() => module.Modal)
    if (kit.getState().view.open) flushSync(mount)
    else startTransition(mount)
  }, [kit])
  // `open` requests the chunk before React renders the click.
  useEffect(() => {
    if (!Modal) return kit.onPrefetch(() => void load().catch(() => {}))
  }, [kit, load, Modal])
  useEffect(() => {
    if (!isOpen || Modal) return
    let stale = false
    load().catch((error: unknown) => {
      // The next click retries.
      // oxlint-disable-next-line no-console -- the message is for the site's developer
      console.error('Gatefold: the modal could not be loaded.', error)
      if (!stale) kit.close()
    })
    return () => {
      stale = true
    }
  }, [kit, load, isOpen, Modal])
  return Modal ? <Modal /> : null
}
