import { Artwork } from '../parts/Artwork.tsx'
import { Cover } from '../parts/Cover.tsx'
import { Folded } from '../parts/Folded.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PasteField } from '../parts/PasteField.tsx'
import { usePhone, useReady } from '../usePhone.ts'
import { go, routes } from '../useRoute.ts'
import { addressesOf } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describe.ts'
import { hostOf } from '../words.ts'

/** Who the wallet is, the way to connect it, and what it is connected to. */
export function Home() {
  const phone = usePhone()
  const ready = useReady()
  return (
    <main>
      <Cover />
      <section className="stack" aria-label="Connect">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={() => go(routes.scan)}
        >
          <Icon name="scan" />
          Scan a code
        </button>
        <PasteField />
        {phone.awaited && (
          <div className="waiting" role="status">
            <span className="spinner" aria-hidden="true" />
            <p>Waiting for the app to ask</p>
            <button
              type="button"
              className="button"
              data-size="small"
              onClick={() => phone.dismiss()}
            >
              Stop
            </button>
          </div>
        )}
      </section>
      <section className="stack" aria-labelledby="apps">
        <h2 id="apps" className="caption">
          Connected apps
        </h2>
        {!ready ? (
          <div className="leaf waiting-rows" role="status" aria-label="Reading your apps" />
        ) : phone.sessions.length === 0 ? (
          <div className="plate">
            <Folded />
            <h3>No app is connected</h3>
            <p>Choose WalletConnect in an app, then scan the code it shows.</p>
          </div>
        ) : (
          <ul className="leaf rows">
            {phone.sessions.map(({ topic, peer, namespaces }) => (
              <li key={topic}>
                <a className="row" href={routes.session(topic)}>
                  <Artwork src={peer.metadata.icons[0]} name={peer.metadata.name} size={40} />
                  <span className="row-text">
                    <b>{peer.metadata.name}</b>
                    <span>
                      {hostOf(peer.metadata.url)} ·{' '}
                      <bdi>{short(addressesOf(namespaces)[0] ?? '')}</bdi>
                    </span>
                  </span>
                  <Icon name="chevron" />
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
      <p className="fine">A demo wallet with public keys. Keep real coins away from it.</p>
    </main>
  )
}
