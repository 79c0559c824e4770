import { QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

import type { Kit } from '../core/Kit.ts'
import { KitContext, useKitState } from './context.ts'

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
      {!kit.options.disableAppend && !kit.options.enableEmbedded && <LazyModal />}
    </KitContext>
  )
}

/** Loads the modal's code: called by whatever is about to need it. */
export const loadModal = () => import('../ui/Modal.tsx')

/**
 * Mounts the modal once its code is there. No Suspense: React delays the reveal of a suspended
 * boundary, and the card has to be on screen in the frame after the click.
 */
function LazyModal() {
  const wanted = useKitState((state) => state.view.open)
  const [Modal, setModal] = useState<ComponentType>()
  useEffect(() => {
    if (!wanted || Modal) return
    let stale = false
    void loadModal().then((module) => {
      if (!stale) setModal(() => module.Modal)
    })
    return () => {
      stale = true
    }
  }, [wanted, Modal])
  return Modal ? <Modal /> : null
}
