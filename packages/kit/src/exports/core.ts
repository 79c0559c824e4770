export * from './index.ts'
export {
  getAccount,
  getChain,
  getNetwork,
  getSession,
  isConnected,
} from '../core/connection/account.ts'
export { connect } from '../core/connection/connect.ts'
export { disconnect, switchConnection } from '../core/connection/disconnect.ts'
export { switchNetwork } from '../core/networks/switchNetwork.ts'
export { addNetwork, removeNetwork } from '../core/networks/networks.ts'
export { fetchWallets } from '../core/wallets/fetchWallets.ts'
export { getBalance, getIdentity } from '../core/account/balance.ts'
export * from '../core/account/sign.ts'
export { setLocale, setTheme } from '../core/appearance/appearance.ts'
export { getCurrencies } from '../core/money/currency.ts'
export { setCurrency } from '../core/money/setCurrency.ts'
export { prepareTransfer, sendTransfer } from '../core/money/transfer.ts'
export {
  createOnrampOrder,
  getOnrampOrder,
  getOnrampOrders,
  getOnrampQuotes,
} from '../core/money/onramp/onramp.ts'
export { getOnrampOptions } from '../core/money/onramp/options.ts'
export { cancelTransaction, speedUpTransaction } from '../core/money/pending/replacePending.ts'
export { getActivity } from '../core/money/activity.ts'
export { getNfts } from '../core/money/nfts.ts'
export { getPriceHistory } from '../core/money/priceHistory.ts'
export { getTokens } from '../core/money/tokens.ts'
export { formatBalance } from '../core/account/formatBalance.ts'
export { checkName } from '../core/names/checkName.ts'
export { getNames } from '../core/names/names.ts'
export { registerName } from '../core/names/register.ts'
