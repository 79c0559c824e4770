/** @jsxImportSource preact */

/** The field of a mailed code. */
export function CodeInput(props: {
  label: string
  value: string
  onInput: (value: string) => void
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={6}
        pattern="[0-9]{6}"
        required
        value={props.value}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  )
}
