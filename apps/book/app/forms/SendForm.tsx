import { useId, useState, type FormEvent } from 'react'
import { PillButton } from '../parts/Pill.tsx'
import { formatCompactBalance, formatAmount, shorten } from '../wallet/format.ts'
import { useWallet, type Account, type Address, type Hex, type Receipt } from '../wallet/wallet.ts'
import { CopyableHex } from './CopyableHex.tsx'
import { RequestStatus } from './RequestStatus.tsx'
import { parseAmount } from './parseAmount.ts'
import { parseRecipient } from './parseRecipient.ts'
import { Panel } from './Panel.tsx'

type State =
  | { step: 'editing' | 'resolving' | 'requesting' | 'declined' }
  | { step: 'pending'; hash: Hex; sum: string; to: Address }
  | { step: 'confirmed'; receipt: Receipt; sum: string; to: Address }
  | { step: 'failed'; message: string; hash?: Hex | undefined }

type Errors = { to?: string | undefined; amount?: string | undefined }

/** Sends the network's native currency and waits for the receipt. */
export function SendForm({ onClose }: { onClose: () => void }) {
  const wallet = useWallet()
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [state, setState] = useState<State>({ step: 'editing' })
  const { account } = wallet
  const balance = account?.balance.status === 'known' ? account.balance : undefined
  const symbol = wallet.network?.symbol ?? 'ETH'
  const decimals = wallet.network?.decimals ?? 18
  const busy = ['resolving', 'requesting', 'pending'].includes(state.step)

  function edit(change: () => void) {
    change()
    setErrors({})
    if (!busy) setState({ step: 'editing' })
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setState({ step: 'resolving' })
    const recipient = await parseRecipient(to, wallet.findName)
    const sum = parseAmount(amount, decimals)
    const exceedsBalance = balance && sum.value !== undefined && sum.value > balance.atomic
    const found: Errors = {
      to: recipient.problem,
      amount: exceedsBalance ? `You only have ${formatCompactBalance(balance)}.` : sum.problem,
    }
    setErrors(found)
    if (recipient.value === undefined || sum.value === undefined || found.amount) {
      return setState({ step: 'editing' })
    }
    setState({ step: 'requesting' })
    let hash: Hex | undefined
    try {
      const result = await wallet.send(recipient.value, sum.value)
      if (result === 'declined') return setState({ step: 'declined' })
      hash = result
      const sent = {
        sum: formatAmount({ atomic: sum.value, decimals, symbol }),
        to: recipient.value,
      }
      setState({ step: 'pending', hash, ...sent })
      setState({ step: 'confirmed', receipt: await wallet.receipt(hash), ...sent })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ step: 'failed', message, hash })
    }
  }

  return (
    <Panel heading={`Send ${symbol}`} onClose={onClose}>
      <form noValidate onSubmit={(event) => void send(event)}>
        <Field
          label="To"
          value={to}
          problem={errors.to}
          onChange={(value) => edit(() => setTo(value))}
          placeholder="name.eth or 0x…"
        />
        <Field
          label="Amount"
          value={amount}
          problem={errors.amount}
          onChange={(value) => edit(() => setAmount(value))}
          placeholder="0.0"
          inputMode="decimal"
          unit={symbol}
        />
        <div className="statuses">
          <SendStatus state={state} account={account} />
        </div>
        <PillButton type="submit" aria-disabled={busy}>
          {busy ? 'Sending…' : state.step === 'confirmed' ? 'Send again' : 'Send'}
        </PillButton>
      </form>
    </Panel>
  )
}

/** The status of the transaction. */
function SendStatus({ state, account }: SendStatusProps) {
  const name = account?.wallet ?? 'your wallet'
  switch (state.step) {
    case 'editing':
      return (
        <p className="hint">
          {account?.balance.status === 'known' &&
            `You have ${formatCompactBalance(account.balance)}. `}
          Transfers can’t be undone.
        </p>
      )
    case 'resolving':
      return <RequestStatus kind="pending">Looking up the recipient…</RequestStatus>
    case 'requesting':
      return <RequestStatus kind="pending">Approve the transaction in {name}.</RequestStatus>
    case 'declined':
      return (
        <RequestStatus kind="declined">
          You declined the request in {name}. Nothing was sent.
        </RequestStatus>
      )
    case 'pending':
      return (
        <RequestStatus kind="pending">
          Sending {state.sum} to {shorten(state.to)}… <CopyableHex name="hash" value={state.hash} />
        </RequestStatus>
      )
    case 'confirmed':
      return (
        <RequestStatus kind={state.receipt.succeeded ? 'done' : 'failed'}>
          {state.receipt.succeeded
            ? `${state.sum} sent to ${shorten(state.to)}, in block ${state.receipt.block}.`
            : `The transaction failed in block ${state.receipt.block}. Only the fee was charged.`}{' '}
          <CopyableHex name="hash" value={state.receipt.hash} />
        </RequestStatus>
      )
    case 'failed':
      return (
        <RequestStatus kind="failed">
          {state.message} {state.hash && <CopyableHex name="hash" value={state.hash} />}
        </RequestStatus>
      )
  }
}

type SendStatusProps = { state: State; account: Account | undefined }

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
    <label className="field" data-invalid={problem ? true : undefined}>
      {label}
      <span className="input-row">
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
      <span className="error" id={problemId} role="alert">
        {problem}
      </span>
    </label>
  )
}
