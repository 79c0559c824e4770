import { createElement } from 'react'
import type { ReactNode } from 'react'

import { Provider } from '../ui/Provider.tsx'
import type { GatefoldProviderProps } from '../ui/Provider.tsx'

const loadModal = () => import('./chunks/modal.ts')

/**
 * Provides a Gatefold instance to a page and mounts its modal.
 *
 * @param props.queryClient - the host's TanStack Query client, to share its cache and settings
 * @example <GatefoldProvider kit={kit}>…</GatefoldProvider>
 */
export function GatefoldProvider(props: GatefoldProviderProps): ReactNode {
  return createElement(Provider, { ...props, loadModal })
}
