import { useKitAccount } from '../../react/hooks.ts'
import { useText } from './useText.ts'
import { networksText } from '../strings/networks.ts'
import { usePeer } from './usePeer.ts'

/** The active wallet's name. `first` is the form for the start of a sentence. */
export function useWalletName(): { wallet: string; first: string } {
  const t = useText(networksText)
  const { connector } = useKitAccount()
  const name = usePeer(connector)?.name || connector?.name
  return { wallet: name ?? t('networks.wallet'), first: name ?? t('networks.walletStart') }
}
