import { QueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'

import { BaseError } from '@gatefold/protocol'

import { instanceOf } from '../core/kit/Kit.ts'
import type { Kit, KitInstance } from '../core/kit/Kit.ts'
import { whenIdle } from '../core/platform/whenIdle.ts'
import { KitContext, useKitContext, useKitState } from '../react/context.ts'
import type { AvatarComponent, LoadModal } from '../react/context.ts'

/** The props of `GatefoldProvider`. */
export type GatefoldProviderProps = {
  /** The instance, from `createGatefold`. */
  kit: Kit
  /** The host's TanStack Query client, to share its cache and settings. */
  queryClient?: QueryClient | undefined
  /**
   * Draws the avatars of accounts.
   *
   * @default the picture of the account's name, otherwise `AddressAvatar`
   * @example
   * <GatefoldProvider kit={kit} avatar={({ address }) => <b>{address.slice(2, 4)}</b>}>
   *   …
   * </GatefoldProvider>
   */
  avatar?: AvatarComponent | undefined
  /** The page. */
  children?: ReactNode
}

/**
 * Provides a Gatefold instance to a page and mounts its modal, except with `disableAppend` or
 * `enableEmbedded`.
 *
 * @param props.loadModal - loads the modal's chunk, which registers the views of connectors
 */
export function Provider(
  props: GatefoldProviderProps & { loadModal: (kit: KitInstance) => ReturnType<LoadModal> },
) {
  const { avatar, children } = props
  const kit = instanceOf(props.kit)
  const loader = props.loadModal
  const loadModal = useCallback(() => loader(kit), [kit, loader])
  const [own] = useState(() => props.queryClient ?? new QueryClient())
  const queryClient = props.queryClient ?? own
  const [isBroken, setBroken] = useState(false)
  const context = useMemo(
    () => ({ avatar, kit, queryClient, loadModal, isBroken, setBroken }),
    [avatar, kit, queryClient, loadModal, isBroken],
  )
  // Starts the instance after hydration: with `ssr`, storage and wallets must not be read before that.
  useEffect(() => kit.start(), [kit])
  // A query client that is not mounted does not refetch when the visitor
  // returns to the page or is online again.
  useEffect(() => {
    queryClient.mount()
    return () => queryClient.unmount()
  }, [queryClient])
  return (
    <KitContext.Provider value={context}>
      {children}
      {!kit.options.disableAppend && !kit.options.enableEmbedded && <GatefoldModal />}
    </KitContext.Provider>
  )
}

/**
 * The modal, mounted once its chunk is loaded. Rendered by the provider or, with `disableAppend`, by the
 * site.
 *
 * If the chunk is loaded before the modal opens, the modal is mounted in idle time, otherwise
 * synchronously.
 */
// See docs/adr/0003-no-suspense-before-the-first-view.md.
export function GatefoldModal() {
  const { kit, loadModal, setBroken } = useKitContext()
  const isOpen = useKitState((state) => state.view.open)
  const [Modal, setModal] = useState<ComponentType>()
  const load = useCallback(async () => {
    const module = await loadModal()
    const mount = () => {
      setModal(() => module.Modal)
      setBroken(false)
    }
    if (kit.getState().view.open) flushSync(mount)
    else whenIdle(() => startTransition(mount))
  }, [kit, loadModal, setBroken])
  // `kit.open` and `kit.prefetch` call the loader. Registered in a layout effect, because passive effects may
  // run only after a click in the first frame.
  useLayoutEffect(() => {
    if (!Modal) return kit.onPrefetch(() => void load().catch(() => {}))
  }, [kit, load, Modal])
  useEffect(() => {
    if (!isOpen || Modal) return
    let stale = false
    load().catch((error: unknown) => {
      // oxlint-disable-next-line no-console -- the message is for the site's developer
      console.error('Gatefold: the modal could not be loaded.', error)
      setBroken(true)
      if (stale) return
      const reason = new BaseError('The modal could not be loaded', {
        code: 'kit.chunk_not_loaded',
        cause: error,
      })
      for (const waiter of kit.waiters) waiter.reject(reason)
      kit.waiters.clear()
      kit.close()
    })
    return () => {
      stale = true
    }
  }, [kit, load, isOpen, Modal, setBroken])
  return Modal ? <Modal /> : null
}
