/** @jsxImportSource preact */

type InputProps = { value: string; onInput: (value: string) => void }

/** The field of an e-mail address. */
export function EmailInput({ value, onInput }: InputProps) {
  return (
    <label class="field">
      <span>E-mail address</span>
      <input
        type="email"
        autocomplete="email"
        required
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

/** The field of a mailed code. */
export function CodeInput({ label, value, onInput }: InputProps & { label: string }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={6}
        pattern="[0-9]{6}"
        required
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
