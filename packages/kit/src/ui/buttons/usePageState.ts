import { CaipNetworkId } from '@gatefold/protocol'
import { useSyncExternalStore } from 'react'

import { getAccount, getNetwork } from '../../core/connection/account.ts'
import { formatBalance } from '../../core/account/formatBalance.ts'
import { networkImage } from '../../core/wallets/images.ts'
import { shortAddress } from '../../core/account/shortAddress.ts'
import { currentView } from '../../core/view/view.ts'
import type { ViewName } from '../../core/view/view.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { useBalance, useIdentity } from '../../react/queries.ts'
import { useCatalog, useText } from '../hooks/useText.ts'
import { buttonText } from '../strings/buttons.ts'

/**
 * State and actions for a connect button that the site renders. Modeled on what RainbowKit passes to the
 * children of its `ConnectButton.Custom`.
 */
export type PageState = {
  account:
    | {
        address: string
        displayName: string
        ensName: string | undefined
        ensAvatar: string | undefined
        /** For example `2.481 ETH`; undefined until the balance is loaded. */
        displayBalance: string | undefined
        balanceFormatted: string | undefined
        balanceSymbol: string | undefined
        balanceDecimals: number | undefined
        hasPendingTransactions: boolean
      }
    | undefined
  chain:
    | {
        id: number | string
        name: string
        hasIcon: boolean
        iconUrl: string | undefined
        unsupported: boolean
      }
    | undefined
  /** Whether a wallet is being connected, or its connection restored. */
  connecting: boolean
  /** False on the server and until hydration. */
  mounted: boolean
  openAccountModal: () => void
  openChainModal: () => void
  openConnectModal: () => void
  accountModalOpen: boolean
  chainModalOpen: boolean
  connectModalOpen: boolean
}

const connectViews: readonly ViewName[] = [
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'ConnectWallets',
]
const chainViews: readonly ViewName[] = ['Networks', 'SwitchNetwork', 'UnsupportedChain']

export function usePageState(): PageState {
  const kit = useInstance()
  const account = useKitState(getAccountOf)
  const network = useKitState(getNetworkOf)
  const t = useText(buttonText, useCatalog())
  const chain = useKitState((state) => state.chains[state.namespace])
  const locale = useKitState((state) => state.locale)
  const view = useKitState((state) => (state.view.open ? currentView(state.view).name : undefined))
  const { data: balance } = useBalance()
  const { data: identity } = useIdentity()
  const mounted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const unsupportedId = chain?.unsupportedNetworkId
  const formatted = balance && formatBalance(balance.balance, locale)
  const iconUrl = network && networkImage(kit, network)
  return {
    account: account && {
      address: account.address,
      displayName: identity?.name ?? shortAddress(account.address),
      ensName: identity?.name,
      ensAvatar: identity?.avatar,
      displayBalance: balance && `${formatted} ${balance.symbol}`,
      balanceFormatted: formatted,
      balanceSymbol: balance?.symbol,
      balanceDecimals: balance?.decimals,
      hasPendingTransactions: false,
    },
    chain:
      account && unsupportedId
        ? {
            id: idOf(unsupportedId),
            name: t('button.chain', { id: idOf(unsupportedId) }),
            hasIcon: false,
            iconUrl: undefined,
            unsupported: true,
          }
        : network && {
            id: network.id,
            name: network.name,
            hasIcon: Boolean(iconUrl),
            iconUrl,
            unsupported: false,
          },
    connecting: !account && (chain?.status === 'connecting' || chain?.status === 'reconnecting'),
    mounted,
    openAccountModal: () => void kit.open({ view: 'Account' }),
    openChainModal: () => void kit.open({ view: unsupportedId ? 'UnsupportedChain' : 'Networks' }),
    openConnectModal: () => void kit.open({ view: 'Connect' }),
    accountModalOpen: view === 'Account' || view === 'ProfileWallets',
    chainModalOpen: chainViews.includes(view ?? 'Account'),
    connectModalOpen: connectViews.includes(view ?? 'Account'),
  }
}

const getAccountOf = (state: Parameters<typeof getAccount>[0]) => getAccount(state)
const getNetworkOf = (state: Parameters<typeof getNetwork>[0]) => getNetwork(state)
/** The reference of a CAIP-2 id: `7781` for `eip155:7781`. */
const idOf = (caipNetworkId: string) =>
  CaipNetworkId.split(caipNetworkId)?.reference ?? caipNetworkId
const never = () => () => {}
