import { useAccount } from '../../react/hooks.ts'
import { useText } from '../parts/useText.ts'
import { networksText } from '../strings/networks.ts'

/** What the wallet in use is called. */
export function useWalletName(): string {
  const t = useText(networksText)
  const { connector } = useAccount()
  return connector?.name ?? t('networks.wallet')
}
