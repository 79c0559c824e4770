/** A row with a box to tick. */
export function Tick(props: {
  label: string
  checked: boolean
  disabled?: boolean
  onTick: (checked: boolean) => void
}) {
  const { label, checked, disabled, onTick } = props
  return (
    <label className="pick">
      <span>{label}</span>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
    </label>
  )
}
