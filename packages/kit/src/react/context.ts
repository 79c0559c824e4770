import { checkRendering } from '#checks'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

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

/**
 * Draws the avatar of an account. The props are those of RainbowKit's `AvatarComponent`. The kit clips the result to a
 * circle, and hides it from assistive technology, because the name is next to it.
 */
export type AvatarComponent = ComponentType<{
  /** The address of the account. */
  address: string
  /** URL of the avatar in the account's name record, if it may be shown. */
  ensImage: string | undefined
  /** Width and height in px. */
  size: number
}>

type Context = {
  kit: KitInstance
  queryClient: QueryClient
  loadModal: LoadModal
  /** Whether the modal was opened but its chunk could not be loaded. */
  isBroken: boolean
  setBroken: (isBroken: boolean) => void
  avatar?: AvatarComponent | undefined
}

export const KitContext = createContext<Context | undefined>(undefined)

/** @throws {ProviderMissingError} outside `<GatefoldProvider>` */
export function useKitContext(): Context {
  const context = useContext(KitContext)
  if (!context) throw new ProviderMissingError()
  return context
}

/**
 * The instance of the surrounding provider.
 *
 * @throws {Error} outside `<GatefoldProvider>`
 */
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
    () => {
      checkRendering(kit.options)
      return select(kit.getInitialState())
    },
  )
}

export class ProviderMissingError extends BaseError {
  override name = 'ProviderMissingError'
  constructor() {
    super('Gatefold hooks must be used inside <GatefoldProvider kit={kit}>', {
      code: 'react.provider_missing',
    })
  }
}
