import { Icon } from './Icon.tsx'

/** A square button of at least 44 px with an icon; `label` is its accessible name. */
export function IconButton(props: {
  icon: string
  label: string
  flip?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className="gf-icon-button"
      aria-label={props.label}
      onClick={props.onClick}
    >
      <Icon d={props.icon} flip={props.flip ?? false} />
    </button>
  )
}
