import type { ReactNode } from 'react'
import { stringToHex, zeroAddress } from 'viem'
import {
  useBalance,
  useCallsStatus,
  useCapabilities,
  useChainId,
  useConnection,
  useDisconnect,
  useSendCalls,
  useSendTransaction,
  useSignMessage,
  useSwitchChain,
  useWaitForTransactionReceipt,
} from 'wagmi'

/**
 * Uses wagmi's hooks as a site would: renders an output for each value and a button for each
 * action.
 */
export function Hooks() {
  const { address, status, connector } = useConnection()
  const chainId = useChainId()
  const balance = useBalance({ address })
  const capabilities = useCapabilities({ account: address, query: { enabled: false } })
  const sign = useSignMessage()
  const switching = useSwitchChain()
  const send = useSendTransaction()
  const receipt = useWaitForTransactionReceipt({ hash: send.data })
  const batch = useSendCalls()
  const calls = useCallsStatus({
    id: batch.data?.id ?? '',
    query: { enabled: Boolean(batch.data) },
  })
  const disconnecting = useDisconnect()
  const to = address ?? zeroAddress
  return (
    <section>
      <Output name="status">{status}</Output>
      <Output name="connector">{connector?.id}</Output>
      <Output name="address">{address}</Output>
      <Output name="chain">{chainId}</Output>
      <Output name="balance">{balance.data && balance.data.value > 0n && 'some'}</Output>
      <Output name="signature">{sign.data ?? sign.error?.name}</Output>
      <Output name="receipt">{receipt.data?.status}</Output>
      <Output name="capabilities">{JSON.stringify(capabilities.data)}</Output>
      <Output name="calls">{calls.data?.status}</Output>
      <button onClick={() => sign.mutate({ message: 'hello' })}>Sign</button>
      <button onClick={() => switching.mutate({ chainId: 31338 })}>Switch</button>
      <button onClick={() => send.mutate({ to, value: 1n })}>Send</button>
      <button onClick={() => void capabilities.refetch()}>Get capabilities</button>
      <button onClick={() => batch.mutate({ calls: [{ to, value: 1n, data: stringToHex('hi') }] })}>
        Send calls
      </button>
      <button onClick={() => disconnecting.mutate()}>Leave</button>
    </section>
  )
}

function Output({ name, children }: { name: string; children: ReactNode }) {
  return <output data-testid={name}>{children}</output>
}
