import { useState } from 'react'
import type { ReactNode } from 'react'

import {
  GatefoldModal,
  useAccountModal,
  useConnectModal,
  useKit,
  useKitAccount,
  useKitActivity,
  useKitBalance,
  useKitConnections,
  useKitCreateOnrampOrder,
  useKitDisconnect,
  useKitEvent,
  useKitIdentity,
  useKitNameCheck,
  useKitNames,
  useKitNetwork,
  useKitNfts,
  useKitOnramp,
  useKitOnrampOrder,
  useKitOnrampQuotes,
  useKitPendingTransactions,
  useKitPriceHistory,
  useKitProvider,
  useKitReceipt,
  useKitRegisterName,
  useKitResolveName,
  useKitSend,
  useKitSignMessage,
  useKitSignTypedData,
  useKitState,
  useKitTheme,
  useKitTokens,
  useKitWallets,
  useModal,
  useNetworkModal,
} from '../src/exports/react.ts'

/** Uses every hook as a site would: an output for each, and a button for each action. */
export function Hooks({ modal }: { modal: boolean }) {
  const [events, setEvents] = useState<readonly string[]>([])
  const kit = useKit()
  const state = useKitState(({ namespace }) => namespace)
  useKitEvent('CONNECT_SUCCESS', ({ name }) => setEvents((all) => [...all, name]))
  const { open, close, prefetch, isOpen, view } = useModal()
  const { openConnectModal } = useConnectModal()
  const { openAccountModal } = useAccountModal()
  const { openNetworkModal } = useNetworkModal()
  const account = useKitAccount()
  const { network, switchNetwork, networks } = useKitNetwork()
  const connections = useKitConnections()
  const wallets = useKitWallets()
  const theme = useKitTheme()
  const balance = useKitBalance()
  const identity = useKitIdentity()
  const tokens = useKitTokens()
  const held = tokens.data?.tokens[0]
  const prices = useKitPriceHistory(held && { token: held, period: 'day' })
  const nfts = useKitNfts()
  const activity = useKitActivity()
  const pending = useKitPendingTransactions()
  const names = useKitNames()
  const check = useKitNameCheck('keeper')
  const provider = useKitProvider()
  const message = useKitSignMessage()
  const typedData = useKitSignTypedData()
  const send = useKitSend()
  const receipt = useKitReceipt()
  const name = useKitResolveName()
  const register = useKitRegisterName()
  const disconnect = useKitDisconnect()
  const token = useKitOnramp().data?.tokens[0]
  const { data: quotes } = useKitOnrampQuotes(
    token && { token, currency: 'USD', amount: '250', method: 'card' },
  )
  const purchase = useKitCreateOnrampOrder()
  const order = useKitOnrampOrder(purchase.data?.id)
  const [first] = wallets.connectors
  return (
    <section>
      <Output hook="useKit">{typeof kit.open}</Output>
      <Output hook="useKitState">{state}</Output>
      <Output hook="useKitEvent">{events.join()}</Output>
      <Output hook="useModal">{`${isOpen} ${view}`}</Output>
      <Output hook="useConnectModal">{typeof openConnectModal}</Output>
      <Output hook="useAccountModal">{typeof openAccountModal}</Output>
      <Output hook="useNetworkModal">{typeof openNetworkModal}</Output>
      <Output hook="useKitAccount">{`${account.status} ${account.connector?.name}`}</Output>
      <Output hook="useKitNetwork">{network?.name}</Output>
      <Output hook="useKitConnections">{connections.length}</Output>
      <Output hook="useKitWallets">{wallets.connectors.map((one) => one.name).join()}</Output>
      <Output hook="useKitTheme">{theme.mode}</Output>
      <Output hook="useKitBalance">{balance.data?.symbol}</Output>
      <Output hook="useKitIdentity">{identity.data?.name}</Output>
      <Output hook="useKitTokens">{tokens.data?.tokens[0]?.symbol}</Output>
      <Output hook="useKitPriceHistory">{prices.data?.currency}</Output>
      <Output hook="useKitNfts">{nfts.data?.pages[0]?.nfts[0]?.name}</Output>
      <Output hook="useKitActivity">{activity.data?.pages[0]?.activities[0]?.type}</Output>
      <Output hook="useKitPendingTransactions">{pending.length}</Output>
      <Output hook="useKitNames">{names.data?.zone}</Output>
      <Output hook="useKitNameCheck">{check.data?.name}</Output>
      <Output hook="useKitProvider">{typeof provider.data}</Output>
      <Output hook="useKitSignMessage">{message.data ?? message.error?.message}</Output>
      <Output hook="useKitSignTypedData">{typedData.data ?? typedData.error?.message}</Output>
      <Output hook="useKitSend">{send.data ?? send.error?.message}</Output>
      <Output hook="useKitReceipt">{receipt.data?.status ?? receipt.error?.message}</Output>
      <Output hook="useKitResolveName">{name.status}</Output>
      <Output hook="useKitRegisterName">{register.data ?? register.error?.message}</Output>
      <Output hook="useKitDisconnect">{disconnect.status}</Output>
      <Output hook="useKitOnramp">{token?.symbol}</Output>
      <Output hook="useKitOnrampQuotes">{quotes?.quotes[0]?.providerName}</Output>
      <Output hook="useKitCreateOnrampOrder">
        {purchase.data?.status ?? purchase.error?.message}
      </Output>
      <Output hook="useKitOnrampOrder">{order.data?.status}</Output>
      <button onClick={() => first && void wallets.connect(first.id)}>connect</button>
      <button onClick={() => void open({ view: 'Networks' })}>open Networks</button>
      <button onClick={() => close()}>close</button>
      <button onClick={() => prefetch()}>prefetch</button>
      <button onClick={() => void openConnectModal?.().catch(() => {})}>openConnectModal</button>
      <button onClick={() => void openAccountModal?.()}>openAccountModal</button>
      <button onClick={() => void openNetworkModal?.()}>openNetworkModal</button>
      <button onClick={() => void switchNetwork(networks[1]!)}>switchNetwork</button>
      <button onClick={() => void theme.setTheme({ mode: 'dark' })}>setTheme</button>
      <button onClick={() => message.mutate({ message: 'Hello' })}>sign</button>
      <button
        onClick={() =>
          typedData.mutate({ typedData: { types: {}, primaryType: 'Mail', message: {} } })
        }
      >
        sign typed data
      </button>
      <button onClick={() => send.mutate({ to: '0x0', value: 1n })}>send</button>
      <button onClick={() => receipt.mutate({ hash: '0x0' })}>receipt</button>
      <button onClick={() => name.mutate({ name: 'book.eth' })}>resolve</button>
      <button onClick={() => register.mutate({ label: 'keeper' })}>register</button>
      <button onClick={() => purchase.mutate({ quote: quotes!.quotes[0]! })}>buy</button>
      <button onClick={() => disconnect.mutate()}>disconnect</button>
      {modal && (
        <div id="modal-place">
          <GatefoldModal />
        </div>
      )}
    </section>
  )
}

function Output({ hook, children }: { hook: string; children: ReactNode }) {
  return (
    <p>
      {hook}: <output data-hook={hook}>{children}</output>
    </p>
  )
}
