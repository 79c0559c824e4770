import { useMemo } from 'react'

import type { FamilyParameters } from '../core/connection/account.ts'
import type { Connection } from '../core/connection/Connection.ts'
import { useKitState } from './context.ts'

/** The connected wallets of a chain family. The active wallet is first. */
export function useKitConnections(parameters: FamilyParameters = {}): readonly Connection[] {
  const { namespace } = parameters
  const chain = useKitState((state) => state.chains[namespace ?? state.namespace])
  return useMemo(
    () =>
      (chain?.connections ?? []).toSorted(
        (a, b) =>
          Number(b.connectorId === chain?.connectorId) -
          Number(a.connectorId === chain?.connectorId),
      ),
    [chain],
  )
}
