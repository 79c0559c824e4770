import { useId, useState, type FormEvent } from 'react'
import { PillButton } from '../parts/Pill.tsx'
import { formatHoldings, formatSum, shorten } from '../wallet/format.ts'
import { useWallet, type Account, type Address, type Hex, type Receipt } from '../wallet/wallet.ts'
import { CopyWord } from './CopyWord.tsx'
import { Outcome } from './Outcome.tsx'
import { parseAmount } from './parseAmount.ts'
import { readRecipient } from './readRecipient.ts'
import { Slip } from './Slip.tsx'

type State =
  | { step: 'writing' | 'reading' | 'asking' | 'declined' }
  | { step: 'pending'; hash: Hex; sum: string; to: Address }
  | { step: 'settled'; receipt: Receipt; sum: string; to: Address }
  | { step: 'failed'; message: string; hash?: Hex | undefined }

type Problems = { to?: string | undefined; amount?: string | undefined }

/** Sends coins of the network in use, and follows them until they are in a block. */
export function SendSlip({ onClose }: { onClose: () => void }) {
  const wallet = useWallet()
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [state, setState] = useState<State>({ step: 'writing' })
  const { account } = wallet
  const balance = account?.balance.status === 'known' ? account.balance : undefined
  const symbol = wallet.network?.symbol ?? 'ETH'
  const decimals = wallet.network?.decimals ?? 18
  const busy = ['reading', 'asking', 'pending'].includes(state.step)

  function edit(change: () => void) {
    change()
    setProblems({})
    if (!busy) setState({ step: 'writing' })
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setState({ step: 'reading' })
    const recipient = await readRecipient(to, wallet.findName)
    const sum = parseAmount(amount, decimals)
    const tooMuch = balance && sum.value !== undefined && sum.value > balance.atomic
    const found: Problems = {
      to: recipient.problem,
      amount: tooMuch ? `That is more than the ${formatHoldings(balance)} you have.` : sum.problem,
    }
    setProblems(found)
    if (recipient.value === undefined || sum.value === undefined || found.amount) {
      return setState({ step: 'writing' })
    }
    setState({ step: 'asking' })
    let hash: Hex | undefined
    try {
      const answer = await wallet.send(recipient.value, sum.value)
      if (answer === 'declined') return setState({ step: 'declined' })
      hash = answer
      const sent = { sum: formatSum({ atomic: sum.value, decimals, symbol }), to: recipient.value }
      setState({ step: 'pending', hash, ...sent })
      setState({ step: 'settled', receipt: await wallet.receipt(hash), ...sent })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ step: 'failed', message, hash })
    }
  }

  return (
    <Slip heading={`Send ${symbol}`} onClose={onClose}>
      <form noValidate onSubmit={(event) => void send(event)}>
        <Field
          label="To"
          value={to}
          problem={problems.to}
          onChange={(value) => edit(() => setTo(value))}
          placeholder="name.eth or 0x…"
        />
        <Field
          label="Amount"
          value={amount}
          problem={problems.amount}
          onChange={(value) => edit(() => setAmount(value))}
          placeholder="0.0"
          inputMode="decimal"
          unit={symbol}
        />
        <div className="outcomes">
          <Standing state={state} account={account} />
        </div>
        <PillButton type="submit" aria-disabled={busy}>
          {busy ? 'Sending…' : state.step === 'settled' ? 'Send again' : 'Send'}
        </PillButton>
      </form>
    </Slip>
  )
}

/** How the sending stands. */
function Standing({ state, account }: StandingProps) {
  const name = account?.wallet ?? 'your wallet'
  switch (state.step) {
    case 'writing':
      return (
        <p className="hint">
          {account?.balance.status === 'known' && `You have ${formatHoldings(account.balance)}. `}A
          sent coin cannot be called back.
        </p>
      )
    case 'reading':
      return <Outcome kind="busy">Looking up who that is.</Outcome>
    case 'asking':
      return <Outcome kind="busy">Check and approve it in {name}.</Outcome>
    case 'declined':
      return <Outcome kind="calm">You declined the request in {name}. Nothing was sent.</Outcome>
    case 'pending':
      return (
        <Outcome kind="busy">
          {state.sum} on its way to {shorten(state.to)}. <CopyWord what="hash" word={state.hash} />
        </Outcome>
      )
    case 'settled':
      return (
        <Outcome kind={state.receipt.succeeded ? 'done' : 'failed'}>
          {state.receipt.succeeded
            ? `${state.sum} sent to ${shorten(state.to)}, in block ${state.receipt.block}.`
            : `The network turned it down in block ${state.receipt.block}. Only the fee was spent.`}{' '}
          <CopyWord what="hash" word={state.receipt.hash} />
        </Outcome>
      )
    case 'failed':
      return (
        <Outcome kind="failed">
          {state.message} {state.hash && <CopyWord what="hash" word={state.hash} />}
        </Outcome>
      )
  }
}

type StandingProps = { state: State; account: Account | undefined }

type FieldProps = {
  label: string
  value: string
  problem: string | undefined
  placeholder: string
  onChange: (value: string) => void
  inputMode?: 'decimal'
  unit?: string
}

function Field({ label, value, problem, onChange, unit, ...input }: FieldProps) {
  const problemId = useId()
  return (
    <label className="field" data-wrong={problem ? true : undefined}>
      {label}
      <span className="entry">
        <input
          {...input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problemId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
        />
        {unit && <span className="unit">{unit}</span>}
      </span>
      <span className="problem" id={problemId} role="alert">
        {problem}
      </span>
    </label>
  )
}
