import { AppIcon } from '../parts/AppIcon.tsx'
import { WalletHeader } from '../parts/WalletHeader.tsx'
import { EmptyIllustration } from '../parts/EmptyIllustration.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PasteField } from '../parts/PasteField.tsx'
import { usePhone, useReady } from '../usePhone.ts'
import { go, routes } from '../useRoute.ts'
import { addressesOf } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describeRequest.ts'
import { hostOf } from '../texts.ts'

/** The wallet's header, the connect options, and the connected apps. */
export function Home() {
  const phone = usePhone()
  const ready = useReady()
  return (
    <main>
      <WalletHeader />
      <section className="stack" aria-label="Connect">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={() => go(routes.scan)}
        >
          <Icon name="scan" />
          Scan QR code
        </button>
        <PasteField />
        {phone.pairingTopic && (
          <div className="waiting" role="status">
            <span className="spinner" aria-hidden="true" />
            <p>Waiting for the app’s request</p>
            <button
              type="button"
              className="button"
              data-size="small"
              onClick={() => phone.dismiss()}
            >
              Cancel
            </button>
          </div>
        )}
      </section>
      <section className="stack" aria-labelledby="apps">
        <h2 id="apps" className="caption">
          Connected apps
        </h2>
        {!ready ? (
          <div className="group waiting-rows" role="status" aria-label="Loading connected apps" />
        ) : phone.sessions.length === 0 ? (
          <div className="empty">
            <EmptyIllustration />
            <h3>No connected apps</h3>
            <p>Choose WalletConnect in an app, then scan its QR code.</p>
          </div>
        ) : (
          <ul className="group rows">
            {phone.sessions.map(({ topic, peer, namespaces }) => (
              <li key={topic}>
                <a className="row" href={routes.session(topic)}>
                  <AppIcon src={peer.metadata.icons[0]} name={peer.metadata.name} size={40} />
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
      <p className="hint">A demo wallet with public keys. Never send real funds to it.</p>
    </main>
  )
}
