import { useState } from 'react'

/** A row with a value that is written; it counts once the field is left, or on Enter. */
export function WrittenField(props: {
  label: string
  value: string
  placeholder?: string
  numeric?: boolean
  on: boolean
  onWritten: (text: string) => void
}) {
  const { label, value, placeholder, numeric, on, onWritten } = props
  const [draft, setDraft] = useState<string>()
  const finish = () => {
    if (draft !== undefined) onWritten(draft)
    setDraft(undefined)
  }
  return (
    <label className="pick" data-on={on || undefined}>
      <span>{label}</span>
      <input
        type="text"
        inputMode={numeric ? 'numeric' : 'text'}
        value={draft ?? value}
        placeholder={placeholder}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
      />
    </label>
  )
}
