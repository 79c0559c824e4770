import { useKitAccount } from '../../react/hooks.ts'
import { useText } from './useText.ts'
import { networksText } from '../strings/networks.ts'
import { useNames, usePeer } from './usePeer.ts'

/** The active wallet's name. `first` is the form for the start of a sentence. */
export function useWalletName(): { wallet: string; first: string } {
  const t = useText(networksText)
  const { connector } = useKitAccount()
  const translate = useNames()
  const known = usePeer(connector)?.name || connector?.name
  const name = known && translate(known)
  return { wallet: name || t('networks.wallet'), first: name || t('networks.walletStart') }
}
