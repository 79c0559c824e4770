import type { Session } from '@gatefold/sign'
import { addressesOf, chainIds, withChains } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describe.ts'
import { Artwork } from '../parts/Artwork.tsx'
import { Bar } from '../parts/Bar.tsx'
import { EventForm } from '../parts/EventForm.tsx'
import { Abilities } from '../parts/Abilities.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Folded } from '../parts/Folded.tsx'
import { Pick } from '../parts/Pick.tsx'
import { Tick } from '../parts/Tick.tsx'
import { useAttempt } from '../PhoneProvider.tsx'
import { useCurrent, usePhone, useReady } from '../usePhone.ts'
import { goHome } from '../useRoute.ts'
import { dayOf, hostOf } from '../words.ts'

/** One connected app: what it knows, what it may do, and all that a wallet can do about it. */
export function SessionScreen({ start }: { start: string }) {
  const { sessions } = usePhone()
  const ready = useReady()
  const session = sessions.find(({ topic }) => topic.startsWith(start))
  return (
    <main>
      <Bar title={session || !ready ? 'Connected app' : 'Not connected'} onBack={goHome} />
      {session && <Details session={session} />}
      {!session && ready && <Gone />}
    </main>
  )
}

function Gone() {
  return (
    <div className="plate" role="status">
      <Folded />
      <h2>This app is not connected</h2>
      <p>It has left, or you ended it. Connect again from the app.</p>
      <button type="button" className="button" onClick={goHome}>
        Back to the wallet
      </button>
    </div>
  )
}

function Details({ session }: { session: Session }) {
  const phone = usePhone()
  const { controls, account, chainId, chainName } = useCurrent()
  const { busy, attempt } = useAttempt()
  const { topic, namespaces, peer, expiry } = session
  const { name, url, icons } = peer.metadata
  const granted = chainIds(namespaces)
  const methods = Object.values(namespaces).flatMap((entry) => entry.methods)
  const chains = controls.chains.map(({ id, name: one }) => [id, one ?? `Chain ${id}`] as const)

  return (
    <>
      <div className="who">
        <Artwork src={icons[0]} name={name} size={56} />
        <h2>{name}</h2>
        <p>
          <bdi>{hostOf(url)}</bdi>
        </p>
      </div>
      <section className="stack" aria-labelledby="now">
        <h3 id="now" className="caption">
          In use
        </h3>
        <div className="leaf">
          <Pick
            label="Account"
            value={String(account)}
            options={controls.accounts.map((one, index) => [String(index), short(one)])}
            onPick={(value) => controls.switchAccount(Number(value))}
          />
          <Pick
            label="Network"
            value={String(chainId)}
            options={[
              ...chains.map(([id, one]) => [String(id), one] as const),
              ...(chains.some(([id]) => id === chainId)
                ? []
                : [[String(chainId), chainName] as const]),
            ]}
            onPick={(value) => controls.switchChain(Number(value))}
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="may">
        <h3 id="may" className="caption">
          It may
        </h3>
        <Abilities methods={methods} />
      </section>
      <section className="stack" aria-labelledby="networks">
        <h3 id="networks" className="caption">
          Networks of this session
        </h3>
        <div className="leaf">
          {chains.map(([id, one]) => (
            <Tick
              key={id}
              label={one}
              checked={granted.includes(id)}
              // A session needs one network.
              disabled={busy || (granted.length === 1 && granted[0] === id)}
              onTick={(checked) =>
                void attempt(
                  () =>
                    phone.update(
                      topic,
                      withChains(
                        namespaces,
                        controls,
                        checked ? [...granted, id] : granted.filter((known) => known !== id),
                      ),
                    ),
                  `${name} was told.`,
                )
              }
            />
          ))}
        </div>
      </section>
      <EventForm session={session} />
      <section className="stack" aria-label="Session">
        <Facts
          rows={[
            ...addressesOf(namespaces).map((address, index) => ({
              label: index ? 'and' : 'Sees',
              value: short(address),
            })),
            { label: 'Ends by itself', value: dayOf(expiry) },
          ]}
        />
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() =>
            void attempt(async () => {
              const { acknowledged } = await phone.sign.extend({ topic })
              await acknowledged()
            }, 'A week longer.')
          }
        >
          Keep for another week
        </button>
        <button
          type="button"
          className="button"
          data-kind="danger"
          disabled={busy}
          onClick={() =>
            void attempt(async () => {
              await phone.disconnect(topic)
              goHome()
            }, `${name} is disconnected.`)
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
          Forget it without telling the app
        </button>
      </section>
    </>
  )
}
