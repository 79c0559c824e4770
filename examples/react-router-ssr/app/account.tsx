import { useKitAccount, useKitDisconnect, useKitSignMessage } from '@gatefold/kit/react'

/** The address, with buttons to sign a message and to disconnect. */
export function Account() {
  const { address } = useKitAccount()
  const sign = useKitSignMessage()
  const disconnect = useKitDisconnect()
  if (!address) return <p role="status">No wallet is connected.</p>
  return (
    <section aria-label="Account">
      <p role="status">{address}</p>
      <button type="button" onClick={() => sign.mutate({ message: 'Hello' })}>
        Sign a message
      </button>
      <button type="button" onClick={() => disconnect.mutate()}>
        Disconnect
      </button>
      <p>
        <output>{sign.data}</output>
      </p>
    </section>
  )
}
