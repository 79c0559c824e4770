import { Icon } from '../parts/Icon.tsx'

/** What is left of the wallet in a tab after another one took it. */
export function Elsewhere() {
  return (
    <main className="screen" data-screen="elsewhere">
      <div className="plate">
        <Icon name="link" />
        <h1>Open in another tab</h1>
        <p>The wallet answers in one tab at a time, so that nothing is signed twice.</p>
        <button type="button" className="button" data-kind="primary" onClick={reload}>
          Use it here
        </button>
      </div>
    </main>
  )
}

const reload = () => window.location.reload()
