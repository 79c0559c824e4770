import { useAccount, useDisconnect, useSignMessage } from 'wagmi'

/** The address, with buttons to sign a message and to disconnect, through wagmi's hooks. */
export function Account() {
  const { address } = useAccount()
  const { signMessage, data } = useSignMessage()
  const { disconnect } = useDisconnect()
  if (!address) return <p role="status">No wallet is connected.</p>
  return (
    <section aria-label="Account">
      <p role="status">{address}</p>
      <button type="button" onClick={() => signMessage({ message: 'Hello' })}>
        Sign a message
      </button>
      <button type="button" onClick={() => disconnect()}>
        Disconnect
      </button>
      <p>
        <output>{data}</output>
      </p>
    </section>
  )
}
