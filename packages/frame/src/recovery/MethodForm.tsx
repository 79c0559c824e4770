/** @jsxImportSource preact */
import { useState } from 'preact/hooks'

/** Runs work of a button, and keeps the text of its error. */
export function useWork() {
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  async function run(name: string, work: () => Promise<unknown>) {
    if (busy !== undefined) return
    setBusy(name)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(toText(error))
    }
    setBusy(undefined)
  }
  return { busy, problem, setProblem, run }
}

function toText(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: unknown; message?: unknown }
  if (typeof shortMessage === 'string') return shortMessage
  return typeof message === 'string' && message !== ''
    ? message
    : 'Something went wrong. Try again.'
}

/** A field for a password, with the button that uses it. */
export function PasswordForm(props: {
  label: string
  action: string
  busyText: string
  isNew?: boolean
  isBusy: boolean
  isAccent?: boolean
  onSubmit: (password: string) => void
}) {
  const { label, action, busyText, isNew = false, isBusy, isAccent = false, onSubmit } = props
  const [password, setPassword] = useState('')
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(password)
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          type="password"
          value={password}
          autocomplete={isNew ? 'new-password' : 'current-password'}
          required
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class={isAccent ? 'accent' : ''} disabled={isBusy || password === ''}>
        {isBusy ? busyText : action}
      </button>
    </form>
  )
}

/** The problem of the last attempt. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}
