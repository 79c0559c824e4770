/** Illustration of an empty state. */
export function EmptyIllustration() {
  return (
    <svg className="empty-icon" viewBox="0 0 52 40" aria-hidden="true">
      <path className="highlight" d="M26 12 47 5v24z" />
      <path d="M26 12 5 5v24l21 7 21-7V5zM26 12v24" />
    </svg>
  )
}
