/** A row with a choice: the label in front, the platform's own list behind. */
export function Pick(props: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onPick: (value: string) => void
  /** Differs from what is usual. */
  on?: boolean
}) {
  const { label, value, options, onPick, on } = props
  // A value set from a test may have no option of its own.
  const known = options.some(([one]) => one === value)
  const all = known ? options : [...options, [value, value] as const]
  return (
    <label className="pick" data-on={on || undefined}>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {all.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
