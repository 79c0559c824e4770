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

/** wagmi's own hooks, as a site uses them: what they say, and a button for what they do. */
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
  const leaving = useDisconnect()
  const to = address ?? zeroAddress
  return (
    <section>
      <Says name="status">{status}</Says>
      <Says name="connector">{connector?.id}</Says>
      <Says name="address">{address}</Says>
      <Says name="chain">{chainId}</Says>
      <Says name="balance">{balance.data && balance.data.value > 0n && 'some'}</Says>
      <Says name="signature">{sign.data ?? sign.error?.name}</Says>
      <Says name="receipt">{receipt.data?.status}</Says>
      <Says name="capabilities">{JSON.stringify(capabilities.data)}</Says>
      <Says name="calls">{calls.data?.status}</Says>
      <button onClick={() => sign.mutate({ message: 'hello' })}>Sign</button>
      <button onClick={() => switching.mutate({ chainId: 31338 })}>Switch</button>
      <button onClick={() => send.mutate({ to, value: 1n })}>Send</button>
      <button onClick={() => void capabilities.refetch()}>Ask what it can</button>
      <button onClick={() => batch.mutate({ calls: [{ to, value: 1n, data: stringToHex('hi') }] })}>
        Send calls
      </button>
      <button onClick={() => leaving.mutate()}>Leave</button>
    </section>
  )
}

function Says({ name, children }: { name: string; children: ReactNode }) {
  return <output data-testid={name}>{children}</output>
}
