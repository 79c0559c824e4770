/** A row with a label and a native select. */
export function SelectRow(props: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
  /** Whether the value differs from the default; highlights the row. */
  isModified?: boolean
}) {
  const { label, value, options, onChange, isModified } = props
  // A test may set a value that is not among the options.
  const known = options.some(([one]) => one === value)
  const all = known ? options : [...options, [value, value] as const]
  return (
    <label className="control-row" data-modified={isModified || undefined}>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {all.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
