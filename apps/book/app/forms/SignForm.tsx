import { useState, type FormEvent } from 'react'
import { PillButton } from '../parts/Pill.tsx'
import { useWallet, type Hex } from '../wallet/wallet.ts'
import { CopyableHex } from './CopyableHex.tsx'
import { RequestStatus } from './RequestStatus.tsx'
import { Panel } from './Panel.tsx'

type State =
  | { step: 'editing' | 'requesting' | 'declined' }
  | { step: 'signed'; signature: Hex }
  | { step: 'failed'; message: string }

/** Signs a message with the connected wallet. */
export function SignForm({ onClose }: { onClose: () => void }) {
  const { account, sign } = useWallet()
  const [text, setText] = useState('I have opened the Book of Ethereum.')
  const [state, setState] = useState<State>({ step: 'editing' })
  const wallet = account?.wallet ?? 'your wallet'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (state.step === 'requesting') return
    setState({ step: 'requesting' })
    try {
      const signature = await sign(text)
      setState(signature === 'declined' ? { step: 'declined' } : { step: 'signed', signature })
    } catch (error) {
      setState({ step: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  return (
    <Panel heading="Sign a message" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          Message
          <textarea
            rows={3}
            value={text}
            required
            onChange={(event) => {
              setText(event.target.value)
              setState({ step: 'editing' })
            }}
          />
        </label>
        <div className="statuses">
          {state.step === 'editing' && (
            <p className="hint">
              Signing is free and sends no transaction. It proves that you own this account.
            </p>
          )}
          {state.step === 'requesting' && (
            <RequestStatus kind="pending">Approve the signature in {wallet}.</RequestStatus>
          )}
          {state.step === 'declined' && (
            <RequestStatus kind="declined">
              You declined the request in {wallet}. Nothing was signed.
            </RequestStatus>
          )}
          {state.step === 'failed' && <RequestStatus kind="failed">{state.message}</RequestStatus>}
          {state.step === 'signed' && (
            <RequestStatus kind="done">
              Signed. <CopyableHex name="signature" value={state.signature} />
            </RequestStatus>
          )}
        </div>
        <PillButton type="submit" aria-disabled={state.step === 'requesting'}>
          {label(state.step)}
        </PillButton>
      </form>
    </Panel>
  )
}

function label(step: State['step']) {
  if (step === 'requesting') return 'Signing…'
  return step === 'editing' ? 'Sign' : 'Sign again'
}
