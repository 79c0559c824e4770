import { usePhone } from '../usePhone.ts'

/** Requests the “never answer” switch holds back: they can still be answered, late. */
export function HeldBack() {
  const { controls } = usePhone().wallet
  const held = controls.pending.filter(({ hung }) => hung)
  if (!held.length) return undefined
  return (
    <section className="stack" aria-labelledby="held">
      <h2 id="held" className="caption">
        Held back
      </h2>
      <ul className="leaf">
        {held.map((request) => (
          <li key={request.id} className="held">
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
