import { useEffect, useState } from 'react'
import { PathIcon } from '../parts/Icon.tsx'
import { useMoney, type Entry } from '../wallet/money.ts'
import { useWallet } from '../wallet/wallet.ts'
import { describeEntry, formatAge } from './describe.ts'
import { Failure, Rows, SkeletonRows } from './Rows.tsx'

/** How many transactions the page shows. */
const shownEntries = 6
/** How often the ages are updated, in ms. */
const tickMs = 30_000

/** The latest transactions on the current network. */
export function Latest({ isLoading }: { isLoading: boolean }) {
  const { latest, open } = useMoney()
  const { network } = useWallet()
  const now = useNow()
  const isKnown = latest.status === 'known' && !isLoading
  return (
    <section className="leaf" aria-label="Latest activity">
      <Rows
        heading="Latest"
        count={shownEntries}
        more={isKnown && latest.value.entries.length > 0 ? 'All activity' : undefined}
        onMore={() => open({ view: 'Transactions' })}
        isBusy={isLoading || latest.status === 'loading'}
      >
        {latest.status === 'failed' ? (
          <Failure onRetry={latest.retry}>Your activity couldn’t be loaded.</Failure>
        ) : latest.status === 'missing' ? (
          <p className="leaf-note">This server keeps no activity.</p>
        ) : !isKnown ? (
          <SkeletonRows count={shownEntries} />
        ) : latest.value.entries.length === 0 ? (
          <p className="leaf-note">
            What you send, receive and swap on {network?.name ?? 'this network'} is listed here.
          </p>
        ) : (
          <ul aria-label="Latest activity">
            {latest.value.entries.slice(0, shownEntries).map((entry) => (
              <li key={entry.id}>
                <EntryRow
                  entry={entry}
                  now={now}
                  onOpen={() => open({ view: 'Transaction', id: entry.id })}
                />
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </section>
  )
}

function EntryRow({ entry, now, onOpen }: { entry: Entry; now: number; onOpen: () => void }) {
  const { title, amount, icon } = describeEntry(entry)
  return (
    <button type="button" className="leaf-row" data-status={entry.status} onClick={onOpen}>
      <span className="coin">
        {entry.status === 'pending' ? <span className="spinner" /> : <PathIcon d={icon} />}
      </span>
      <span className="what">
        <b>{title}</b>
        <small>{entry.status === 'pending' ? 'Pending' : formatAge(entry.time, now)}</small>
      </span>
      <bdi className="much" dir="ltr">
        {amount}
      </bdi>
    </button>
  )
}

/** The current time, updated while the page is open. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
