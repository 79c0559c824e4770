import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createContext, use, useCallback, useSyncExternalStore } from 'react'

import { BaseError } from '@gatefold/protocol'
import type { connectWallet } from '../core/connection/connect.ts'
import type { Kit, KitInstance } from '../core/kit/Kit.ts'
import type { State } from '../core/kit/state.ts'

/** Loads the modal's chunk. */
export type LoadModal = () => Promise<{
  Modal: ComponentType
  Panel: ComponentType
  connectWallet: typeof connectWallet
}>

type Context = { kit: KitInstance; queryClient: QueryClient; loadModal: LoadModal }

export const KitContext = createContext<Context | undefined>(undefined)

/** @throws {ProviderMissingError} outside `<GatefoldProvider>` */
export function useKitContext(): Context {
  const context = use(KitContext)
  if (!context) throw new ProviderMissingError()
  return context
}

/** The instance of the surrounding provider. */
export function useKit(): Kit {
  return useKitContext().kit.kit
}

/** The instance with its internal members. */
export function useInstance(): KitInstance {
  return useKitContext().kit
}

/**
 * Subscribes to a value derived from the state. `select` must return the same reference for the same
 * state.
 *
 * @example const open = useKitState((state) => state.view.open)
 */
export function useKitState<value>(select: (state: State) => value): value {
  const { kit } = useKitContext()
  return useSyncExternalStore(
    useCallback((listener) => kit.subscribe(listener), [kit]),
    () => select(kit.getState()),
    () => select(kit.getInitialState()),
  )
}

export class ProviderMissingError extends BaseError {
  override name = 'ProviderMissingError'
  constructor() {
    super('A Gatefold hook was used outside <GatefoldProvider>', {
      code: 'react.provider_missing',
      metaMessages: ['Wrap the page: <GatefoldProvider kit={kit}>…</GatefoldProvider>.'],
    })
  }
}
