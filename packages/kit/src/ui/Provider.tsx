import { QueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'

import { instanceOf } from '../core/kit/Kit.ts'
import type { Kit } from '../core/kit/Kit.ts'
import { KitContext, useKitContext, useKitState } from '../react/context.ts'
import type { LoadModal } from '../react/context.ts'

export type GatefoldProviderProps = {
  kit: Kit
  /** The host's TanStack Query client, to share its cache and settings. */
  queryClient?: QueryClient | undefined
  children?: ReactNode
}

/**
 * Provides a Gatefold instance to a page and mounts its modal, except with `disableAppend` or
 * `enableEmbedded`.
 *
 * @param props.loadModal - loads the modal's chunk, which registers the views of connectors
 */
export function Provider(props: GatefoldProviderProps & { loadModal: LoadModal }) {
  const { children, loadModal } = props
  const kit = instanceOf(props.kit)
  const [own] = useState(() => props.queryClient ?? new QueryClient())
  const queryClient = props.queryClient ?? own
  const context = useMemo(() => ({ kit, queryClient, loadModal }), [kit, queryClient, loadModal])
  // Starts the instance after hydration: with `ssr`, storage and wallets must not be read before that.
  useEffect(() => kit.start(), [kit])
  return (
    <KitContext value={context}>
      {children}
      {!kit.options.disableAppend && !kit.options.enableEmbedded && <GatefoldModal />}
    </KitContext>
  )
}

/**
 * The modal, mounted once its chunk is loaded. Rendered by the provider or, with `disableAppend`, by the
 * site.
 *
 * If the chunk is loaded before the modal opens, the modal is mounted in a transition, otherwise
 * synchronously.
 *
 * @see docs/adr/0003-no-suspense-before-the-first-view.md
 */
export function GatefoldModal() {
  const { kit, loadModal } = useKitContext()
  const isOpen = useKitState((state) => state.view.open)
  const [Modal, setModal] = useState<ComponentType>()
  const load = useCallback(async () => {
    const module = await loadModal()
    const mount = () => setModal(() => module.Modal)
    if (kit.getState().view.open) flushSync(mount)
    else startTransition(mount)
  }, [kit, loadModal])
  // `kit.open` and `kit.prefetch` call the loader. Registered in a layout effect, because passive effects may
  // run only after a click in the first frame.
  useLayoutEffect(() => {
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
