import { ModalClosedError, UserRejectedError } from '@gatefold/kit'
import { getSession } from '@gatefold/kit/core'
import {
  useKitAccount,
  useKitBalance,
  useKitIdentity,
  useKitEvent,
  useKitState,
  useModal,
  useKitNetwork,
  useKitReceipt,
  useKitResolveName,
  useKitSend,
  useKitSignMessage,
} from '@gatefold/kit/react'
import { BaseError } from '@gatefold/protocol'
import type { ReactNode } from 'react'
import type { Network } from '../config.ts'
import { useToast } from '../parts/ToastArea.tsx'
import { WalletContext, type Account, type Address, type Hex, type Wallet } from './wallet.ts'

type KitWalletProps = {
  /** The Book's default network. Used while the kit has no current network. */
  network: Network
  children: ReactNode
}

/** Implements the page's `Wallet` with the kit's hooks. No other component uses these hooks. */
export function KitWallet({ network: home, children }: KitWalletProps) {
  const { open } = useModal()
  const { status } = useKitAccount()
  const account = useCurrentAccount()
  const { network, unsupported } = useKitNetwork()
  const balance = useKitBalance()
  const signMessage = useKitSignMessage()
  const resolveName = useKitResolveName()
  const send = useKitSend()
  const receipt = useKitReceipt()
  useToasts()

  const wallet: Wallet = {
    status,
    account,
    network: unsupported ? undefined : describe(network, home),
    open(view) {
      open(view && { view }).catch((error: unknown) => {
        // The visitor closed the modal without connecting.
        if (!(error instanceof ModalClosedError)) throw error
      })
    },
    sign: (text) => orDeclined(signMessage.mutateAsync({ message: text })),
    findName: (name) => resolveName.mutateAsync({ name }) as Promise<Address | undefined>,
    send: (to, value) => orDeclined(send.mutateAsync({ to, value })),
    async receipt(hash) {
      const { blockNumber, status } = await withReadableError(receipt.mutateAsync({ hash }))
      void balance.refetch()
      return { hash, block: blockNumber, succeeded: status === 'success' }
    },
  }
  return <WalletContext value={wallet}>{children}</WalletContext>
}

function useCurrentAccount(): Account | undefined {
  const { address, connector } = useKitAccount()
  const { network } = useKitNetwork()
  const balance = useKitBalance()
  const identity = useKitIdentity()
  // The session contains the wallet's name; the connector's name is only "WalletConnect".
  const peer = useKitState((state) => getSession(state, connector?.id)?.peer.name)
  if (!address) return undefined
  return {
    address: address as Address,
    name: identity.data?.name,
    avatar: identity.data?.avatar,
    balance: toBalance(balance, network),
    wallet: peer || (connector?.name ?? 'your wallet'),
  }
}

function toBalance(
  { data, isError }: ReturnType<typeof useKitBalance>,
  network: KitNetwork,
): Account['balance'] {
  // The kit reads no balance on test networks.
  if (isError || network?.testnet) return { status: 'unavailable' }
  if (!data) return { status: 'loading' }
  return { status: 'known', atomic: data.value, decimals: data.decimals, symbol: data.symbol }
}

function useToasts() {
  const toast = useToast()
  useKitEvent('CONNECT_SUCCESS', ({ name, reconnect }) => {
    if (!reconnect) toast(`Connected to ${name}. Welcome.`, 'check')
  })
  useKitEvent('DISCONNECT_SUCCESS', () => toast('Wallet disconnected.', 'check'))
}

type KitNetwork = ReturnType<typeof useKitNetwork>['network']

function describe(network: KitNetwork, home: Network): Wallet['network'] {
  if (!network) return home
  const { symbol, decimals } = network.nativeCurrency
  return { id: Number(network.id), name: network.name, symbol, decimals }
}

/** Resolves with `'declined'` if the visitor rejected the request. */
async function orDeclined(result: Promise<string>): Promise<Hex | 'declined'> {
  try {
    return (await withReadableError(result)) as Hex
  } catch (error) {
    if (error instanceof UserRejectedError) return 'declined'
    throw error
  }
}

/** Rethrows kit errors with a message for the visitor. `UserRejectedError` and other errors stay unchanged. */
async function withReadableError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof UserRejectedError || !(error instanceof BaseError)) throw error
    const sentence = error.shortMessage
    throw new Error(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, { cause: error })
  }
}
