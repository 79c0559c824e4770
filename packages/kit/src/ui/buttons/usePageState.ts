import { CaipNetworkId } from '@gatefold/protocol'
import { useSyncExternalStore } from 'react'

import { getAccount, getNetwork } from '../../core/connection/account.ts'
import { formatBalance } from '../../core/account/formatBalance.ts'
import { networkImage } from '../../core/wallets/images.ts'
import { shortAddress } from '../../core/account/shortAddress.ts'
import { currentView } from '../../core/view/view.ts'
import type { ViewName } from '../../core/view/view.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { useKitBalance, useKitIdentity } from '../../react/queries.ts'
import { useCatalog, useText } from '../hooks/useText.ts'
import { buttonText } from '../strings/buttons.ts'

/**
 * State and actions for a connect button that the site renders. Names are those that RainbowKit's
 * `ConnectButton.Custom` passes to its children.
 */
export type ConnectButtonState = {
  /** The active account; undefined while no wallet is connected. */
  account:
    | {
        /** The address. */
        address: string
        /** The name or, without one, the short address. */
        displayName: string
        /** The ENS name. */
        ensName: string | undefined
        /** URL of the avatar. */
        ensAvatar: string | undefined
        /** For example `2.481 ETH`; undefined until the balance is loaded. */
        displayBalance: string | undefined
        /** The balance in whole units, in the visitor's language. */
        balanceFormatted: string | undefined
        /** The currency's symbol. */
        balanceSymbol: string | undefined
        /** Number of decimals of a whole unit. */
        balanceDecimals: number | undefined
      }
    | undefined
  /** The wallet's network or, without a wallet, the active one. */
  chain:
    | {
        /** The chain id. */
        id: number | string
        /** The name. */
        name: string
        /** Whether the chain has an image. */
        hasIcon: boolean
        /** URL of the image. */
        iconUrl: string | undefined
        /** Whether the wallet is on a chain that is not configured. */
        unsupported: boolean
      }
    | undefined
  /** Whether a wallet is being connected, or its connection restored. */
  connecting: boolean
  /** False on the server and until hydration. */
  mounted: boolean
  /** Opens the account view. */
  openAccountModal: () => void
  /** Opens the list of networks. */
  openChainModal: () => void
  /** Opens the connect view. */
  openConnectModal: () => void
  /** Whether the account view is open. */
  accountModalOpen: boolean
  /** Whether a network view is open. */
  chainModalOpen: boolean
  /** Whether a connect view is open. */
  connectModalOpen: boolean
}

const connectViews: readonly ViewName[] = [
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'ConnectWallets',
]
const chainViews: readonly ViewName[] = ['Networks', 'SwitchNetwork', 'UnsupportedChain']

export function usePageState(): ConnectButtonState {
  const kit = useInstance()
  const account = useKitState(getAccountOf)
  const network = useKitState(getNetworkOf)
  const t = useText(buttonText, useCatalog())
  const chain = useKitState((state) => state.chains[state.namespace])
  const locale = useKitState((state) => state.locale)
  const view = useKitState((state) => (state.view.open ? currentView(state.view).name : undefined))
  const { data: balance } = useKitBalance()
  const { data: identity } = useKitIdentity()
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
