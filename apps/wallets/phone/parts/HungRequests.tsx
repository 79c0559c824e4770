import { usePhone } from '../usePhone.ts'

/** Requests held by the `hang` fault, with buttons to respond to them late. */
export function HungRequests() {
  const { controls } = usePhone().wallet
  const hung = controls.pending.filter((request) => request.hung)
  if (!hung.length) return undefined
  return (
    <section className="stack" aria-labelledby="hung">
      <h2 id="hung" className="caption">
        Unanswered requests
      </h2>
      <ul className="group">
        {hung.map((request) => (
          <li key={request.id} className="hung">
            <span>
              <b>{request.method}</b>
              <span>{request.app?.name}</span>
            </span>
            <button
              type="button"
              className="button"
              data-size="small"
              onClick={() => request.reject()}
            >
              Reject
            </button>
            <button
              type="button"
              className="button"
              data-size="small"
              onClick={() => request.approve()}
            >
              Approve
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
