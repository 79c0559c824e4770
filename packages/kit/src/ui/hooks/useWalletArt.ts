import type { Connector } from '../../core/connection/Connector.ts'
import { connectorArt, walletArt } from '../../core/wallets/art.ts'
import type { Art } from '../../core/wallets/art.ts'
import { useInstance } from '../../react/context.ts'
import { useKitQuery } from '../../react/queries.ts'
import { useNames, usePeer } from './usePeer.ts'

/**
 * Name and image of a connector's wallet. Uses the directory's image for a remote wallet, because the
 * wallet's own metadata may point to any host. @see docs/threats.md#requests-before-consent
 */
export function useWalletArt(connector: Connector | undefined): Art {
  const kit = useInstance()
  const translate = useNames()
  const name = usePeer(connector)?.name
  const { data: listing } = useKitQuery({
    name: 'listing',
    key: [name],
    // Only a wallet outside this browser is looked up in the directory.
    enabled: Boolean(name && connector?.universal),
    staleTime: Infinity,
    load: async () => {
      const { findWallet } = await import('../../core/wallets/findWallet.ts')
      return (await findWallet(kit, name ?? '')) ?? null
    },
  })
  if (name) return { ...(listing && walletArt(kit, listing)), name: translate(name) }
  return connector ? connectorArt(kit, connector) : {}
}
