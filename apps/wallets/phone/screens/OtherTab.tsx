import { Icon } from '../parts/Icon.tsx'

/** Shown in a tab after the wallet has been opened in another tab. */
export function OtherTab() {
  return (
    <main className="screen" data-screen="other-tab">
      <div className="empty">
        <Icon name="link" />
        <h1>The wallet is open in another tab</h1>
        <p>It runs in one tab at a time, so that nothing is signed twice.</p>
        <button type="button" className="button" data-kind="primary" onClick={reload}>
          Use it here
        </button>
      </div>
    </main>
  )
}

const reload = () => window.location.reload()
