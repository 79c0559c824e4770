import { useCallback } from 'react'

import { getSession } from '../../core/connection/account.ts'
import { useKitState } from '../../react/context.ts'
import { cardText } from '../views.ts'
import { useText } from './useText.ts'

/** The metadata sent by the wallet of a connector's session; undefined without a session. */
export function usePeer(connector: { id: string } | undefined) {
  return useKitState((state) => getSession(state, connector?.id)?.peer)
}

/**
 * Returns a function that translates wallet names that the kit defines, with
 * the key `name.…`. The names of other wallets are returned unchanged.
 */
export function useNames(): (name: string) => string {
  const t = useText(cardText)
  return useCallback(
    (name) => {
      const key = `name.${name}`
      return key in cardText ? t(key) : name
    },
    [t],
  )
}
