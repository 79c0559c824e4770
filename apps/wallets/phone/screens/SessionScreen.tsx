import type { Session } from '@gatefold/sign'
import { addressesOf, chainIds, withChains } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describeRequest.ts'
import { AppIcon } from '../parts/AppIcon.tsx'
import { ScreenHeader } from '../parts/ScreenHeader.tsx'
import { EventForm } from '../parts/EventForm.tsx'
import { Permissions } from '../parts/Permissions.tsx'
import { DetailList } from '../parts/DetailList.tsx'
import { EmptyIllustration } from '../parts/EmptyIllustration.tsx'
import { SelectRow } from '../parts/SelectRow.tsx'
import { CheckboxRow } from '../parts/CheckboxRow.tsx'
import { useAsyncAction } from '../PhoneProvider.tsx'
import { useCurrent, usePhone, useReady } from '../usePhone.ts'
import { goHome } from '../useRoute.ts'
import { dayOf, hostOf } from '../texts.ts'

/** A connected app: its permissions, and actions for its session. */
export function SessionScreen({ start }: { start: string }) {
  const { sessions } = usePhone()
  const ready = useReady()
  const session = sessions.find(({ topic }) => topic.startsWith(start))
  return (
    <main>
      <ScreenHeader title={session || !ready ? 'Connected app' : 'Not connected'} onBack={goHome} />
      {session && <Details session={session} />}
      {!session && ready && <NotConnected />}
    </main>
  )
}

function NotConnected() {
  return (
    <div className="empty" role="status">
      <EmptyIllustration />
      <h2>This app isn’t connected</h2>
      <p>The session ended. Connect again from the app.</p>
      <button type="button" className="button" onClick={goHome}>
        Back to the wallet
      </button>
    </div>
  )
}

function Details({ session }: { session: Session }) {
  const phone = usePhone()
  const { controls, account } = useCurrent()
  const { busy, runAction } = useAsyncAction()
  const { topic, namespaces, peer, expiry } = session
  const chainId = phone.chainOf(topic)
  const { name, url, icons } = peer.metadata
  const granted = chainIds(namespaces)
  const methods = Object.values(namespaces).flatMap((entry) => entry.methods)
  const chains = controls.chains.map(({ id, name: one }) => [id, one ?? `Chain ${id}`] as const)

  return (
    <>
      <div className="identity">
        <AppIcon src={icons[0]} name={name} size={56} />
        <h2>{name}</h2>
        <p>
          <bdi>{hostOf(url)}</bdi>
        </p>
      </div>
      <section className="stack" aria-labelledby="current">
        <h3 id="current" className="caption">
          Account and network
        </h3>
        <div className="group">
          <SelectRow
            label="Account"
            value={String(account)}
            options={controls.accounts.map((one, index) => [String(index), short(one)])}
            onChange={(value) => controls.switchAccount(Number(value))}
          />
          <SelectRow
            label="Network"
            value={String(chainId)}
            options={[
              ...chains.map(([id, one]) => [String(id), one] as const),
              ...(chains.some(([id]) => id === chainId)
                ? []
                : [[String(chainId), `Chain ${chainId}`] as const]),
            ]}
            onChange={(value) => phone.switchChain(topic, Number(value))}
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="permissions">
        <h3 id="permissions" className="caption">
          Permissions
        </h3>
        <Permissions methods={methods} />
      </section>
      <section className="stack" aria-labelledby="networks">
        <h3 id="networks" className="caption">
          Session networks
        </h3>
        <div className="group">
          {chains.map(([id, one]) => (
            <CheckboxRow
              key={id}
              label={one}
              checked={granted.includes(id)}
              // A session needs at least one network.
              disabled={busy || (granted.length === 1 && granted[0] === id)}
              onChange={(checked) =>
                void runAction(
                  () =>
                    phone.update(
                      topic,
                      withChains(
                        namespaces,
                        controls,
                        checked ? [...granted, id] : granted.filter((known) => known !== id),
                      ),
                    ),
                  'Networks updated.',
                )
              }
            />
          ))}
        </div>
      </section>
      <EventForm session={session} />
      <section className="stack" aria-label="Session">
        <DetailList
          rows={[
            ...addressesOf(namespaces).map((address, index) => ({
              label: index ? 'Also shared' : 'Shared account',
              value: short(address),
            })),
            { label: 'Expires', value: dayOf(expiry) },
          ]}
        />
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() =>
            void runAction(async () => {
              const { acknowledged } = await phone.sign.extend({ topic })
              await acknowledged()
            }, 'Extended by a week.')
          }
        >
          Extend by a week
        </button>
        <button
          type="button"
          className="button"
          data-kind="danger"
          disabled={busy}
          onClick={() =>
            void runAction(async () => {
              await phone.disconnect(topic)
              goHome()
            }, `Disconnected from ${name}.`)
          }
        >
          Disconnect
        </button>
        <button
          type="button"
          className="button"
          data-kind="quiet"
          onClick={() => {
            phone.drop(topic)
            goHome()
          }}
        >
          Forget without notifying the app
        </button>
      </section>
    </>
  )
}
