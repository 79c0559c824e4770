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
 * Returns a function that translates the names of wallets that the kit names itself, with the key `name.…`. Other
 * wallets have names of their own.
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
