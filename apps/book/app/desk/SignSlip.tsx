import { useState, type FormEvent } from 'react'
import { PillButton } from '../parts/Pill.tsx'
import { useWallet, type Hex } from '../wallet/wallet.ts'
import { CopyWord } from './CopyWord.tsx'
import { Outcome } from './Outcome.tsx'
import { Slip } from './Slip.tsx'

type State =
  | { step: 'writing' | 'asking' | 'declined' }
  | { step: 'signed'; signature: Hex }
  | { step: 'failed'; message: string }

/** Signs a message with the connected wallet. */
export function SignSlip({ onClose }: { onClose: () => void }) {
  const { account, sign } = useWallet()
  const [text, setText] = useState('I have opened the Book of Ethereum.')
  const [state, setState] = useState<State>({ step: 'writing' })
  const wallet = account?.wallet ?? 'your wallet'

  async function ask(event: FormEvent) {
    event.preventDefault()
    if (state.step === 'asking') return
    setState({ step: 'asking' })
    try {
      const signature = await sign(text)
      setState(signature === 'declined' ? { step: 'declined' } : { step: 'signed', signature })
    } catch (error) {
      setState({ step: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  return (
    <Slip heading="Sign a message" onClose={onClose}>
      <form onSubmit={(event) => void ask(event)}>
        <label className="field">
          Message
          <textarea
            rows={3}
            value={text}
            required
            onChange={(event) => {
              setText(event.target.value)
              setState({ step: 'writing' })
            }}
          />
        </label>
        <div className="outcomes">
          {state.step === 'writing' && (
            <p className="hint">
              Signing is free and moves nothing. It proves that you hold the key.
            </p>
          )}
          {state.step === 'asking' && (
            <Outcome kind="busy">Read and approve it in {wallet}.</Outcome>
          )}
          {state.step === 'declined' && (
            <Outcome kind="calm">You declined the request in {wallet}. Nothing was signed.</Outcome>
          )}
          {state.step === 'failed' && <Outcome kind="failed">{state.message}</Outcome>}
          {state.step === 'signed' && (
            <Outcome kind="done">
              Signed. <CopyWord what="signature" word={state.signature} />
            </Outcome>
          )}
        </div>
        <PillButton type="submit" aria-disabled={state.step === 'asking'}>
          {label(state.step)}
        </PillButton>
      </form>
    </Slip>
  )
}

function label(step: State['step']) {
  if (step === 'asking') return 'Signing…'
  return step === 'writing' ? 'Sign' : 'Sign again'
}
