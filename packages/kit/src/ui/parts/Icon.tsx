/**
 * An icon from `ui/icons`, on a 20-unit grid with a 1.5 px stroke at every size.
 *
 * @param props.flip - mirrors it in right-to-left languages, for arrows that mean forward or back
 */
export function Icon(props: { d: string; size?: 16 | 20 | 24; flip?: boolean; spin?: boolean }) {
  const [lines, dots] = props.d.split('|')
  return (
    <svg
      className="gf-icon"
      viewBox="0 0 20 20"
      aria-hidden
      data-size={props.size}
      data-flip={props.flip || undefined}
      data-spin={props.spin || undefined}
    >
      {lines && <path d={lines} />}
      {dots && <path d={dots} strokeWidth="2.2" />}
    </svg>
  )
}
