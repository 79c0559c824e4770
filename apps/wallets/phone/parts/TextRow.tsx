import { useState } from 'react'

/** A row with a text input; commits on blur or Enter. */
export function TextRow(props: {
  label: string
  value: string
  placeholder?: string
  numeric?: boolean
  isModified: boolean
  onCommit: (text: string) => void
}) {
  const { label, value, placeholder, numeric, isModified, onCommit } = props
  const [draft, setDraft] = useState<string>()
  const commit = () => {
    if (draft !== undefined) onCommit(draft)
    setDraft(undefined)
  }
  return (
    <label className="control-row" data-modified={isModified || undefined}>
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
        onBlur={commit}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
      />
    </label>
  )
}
