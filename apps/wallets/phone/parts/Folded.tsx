/** What stands where nothing is yet: two facing leaves in outline, with one tinted facet. */
export function Folded() {
  return (
    <svg className="folded" viewBox="0 0 52 40" aria-hidden="true">
      <path className="facet" d="M26 12 47 5v24z" />
      <path d="M26 12 5 5v24l21 7 21-7V5zM26 12v24" />
    </svg>
  )
}
