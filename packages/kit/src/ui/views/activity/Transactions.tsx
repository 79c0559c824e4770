import { useState } from 'react'

import { shortAddress } from '../../../core/account/shortAddress.ts'
import { mergeActivities } from '../../../core/money/pending/mergeActivities.ts'
import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import type { Transfer } from '../../../core/money/ActivityTransfer.ts'
import { formatBalance } from '../../../core/account/formatBalance.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { useKitActivity } from '../../../react/activity.ts'
import { useKitState } from '../../../react/context.ts'
import { useKitPendingTransactions } from '../../../react/pending.ts'
import { receive, send, swap } from '../../icons/account.ts'
import { check, close, retry, spin } from '../../icons/base.ts'
import { useNextPage } from '../../hooks/useNextPage.ts'
import { useText } from '../../hooks/useText.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowSkeleton } from '../../parts/List.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { activityText } from '../../strings/activity.ts'
import css from '../../styles/activity.css?inline'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { groupByDay } from './groupByDay.ts'

/**
 * The account's transactions on the active network, in groups by day.
 *
 * @see spec §8.1.1, §9.3.2; docs/views.md#transactions
 */
export function Transactions() {
  return (
    <div className="gf-body">
      <ActivityList max={480} />
    </div>
  )
}

/** The account's transactions. @param props.max - the height from which the list scrolls, in units */
export function ActivityList({ max }: { max: number }) {
  const t = useText(activityText)
  const { name } = useCurrentNetwork()
  const locale = useKitState((state) => state.locale)
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useKitActivity()
  const submitted = useKitPendingTransactions()
  const networks = useKitState((state) => state.networks)
  const [showsSpam, setShowsSpam] = useState(false)
  // A page may repeat a transaction of the previous one, because new ones move the pages.
  const history = [
    ...new Map(
      data?.pages.flatMap(({ activities }) => activities.map((one) => [one.id, one] as const)),
    ).values(),
  ]
  const all = mergeActivities(history, submitted, networks)
  const shown = showsSpam ? all : all.filter(({ isSpam }) => !isSpam)
  const hidden = all.length - shown.length
  const failure = (
    <>
      <Empty plate="torn" title={t('activity.failedTitle')} role="alert">
        {t('activity.failedHint')}
      </Empty>
      <Button kind="primary" icon={retry} busy={isFetching} onClick={() => void refetch()}>
        {t('activity.tryAgain')}
      </Button>
    </>
  )
  const skeleton = (
    <List label={t('activity.loading')}>
      {Array.from({ length: max > 300 ? 7 : 4 }, (_, index) => (
        <RowSkeleton key={index} />
      ))}
    </List>
  )
  if (!data && all.length === 0)
    return (
      <div className="gf-activity">
        <Style css={css} />
        {isError ? failure : skeleton}
      </div>
    )
  return (
    <div className="gf-activity">
      <Style css={css} />
      <TokenStyle />
      <Scroll max={max}>
        {data && shown.length === 0 && !hasNextPage && (
          <Empty title={t('activity.empty')}>{t('activity.emptyHint', { network: name })}</Empty>
        )}
        {groupByDay(shown, locale, {
          today: t('activity.today'),
          yesterday: t('activity.yesterday'),
        }).map(({ day, activities }) => (
          <section key={day} className="gf-day">
            <h3>{day}</h3>
            <List label={day}>
              {activities.map((activity) => (
                <ActivityRow key={activity.id} activity={activity} />
              ))}
            </List>
          </section>
        ))}
        {!data && (isError ? failure : skeleton)}
        {hidden > 0 && (
          <p className="gf-footer">
            {t('activity.spam', { n: hidden })}{' '}
            <button type="button" onClick={() => setShowsSpam(true)}>
              {t('activity.showSpam')}
            </button>
          </p>
        )}
        {hasNextPage ? (
          <NextPage
            isBusy={isFetchingNextPage}
            pages={data?.pages.length ?? 0}
            onVisible={() => void fetchNextPage()}
          />
        ) : (
          data && shown.length > 0 && <p className="gf-footer">{t('activity.end')}</p>
        )}
      </Scroll>
    </div>
  )
}

/** A transaction: what it did, with whom, what it moved, and when. Links to the explorer. */
function ActivityRow({ activity }: { activity: ActivityEntry }) {
  const t = useText(activityText)
  const locale = useKitState((state) => state.locale)
  const { type, status, from, to, transfers, network, hash, time, submitted } = activity
  const outgoing = transfers.find(({ direction }) => direction !== 'in')
  const incoming = transfers.find(({ direction }) => direction === 'in')
  // The site does not know how much a swap gets before the history has it.
  const main = incoming && /[1-9]/.test(incoming.amount) ? incoming : (outgoing ?? incoming!)
  const isReceived = type === 'receive' || (type === 'mint' && !outgoing)
  const other = isReceived ? from : to
  const what = t(`activity.${type}`)
  const isPending = status === 'pending'
  const isLost = !isPending && status !== 'confirmed'
  const title = isLost
    ? t(`activity.${status}`, { what })
    : isPending && submitted
      ? t(`activity.${submitted.type}Pending`)
      : what
  const note =
    outgoing && incoming
      ? t('activity.traded', { a: outgoing.name, b: incoming.name })
      : other && t(isReceived ? 'activity.from' : 'activity.to', { address: shortAddress(other) })
  const explorer = explorerUrl(network, hash, 'tx')
  return (
    <Row
      href={explorer && safeHref(explorer)}
      start={
        <span className="gf-pair">
          <Artwork name={main.name} src={main.image} shape={main.isNft ? undefined : 'round'} />
          <span className="gf-badge" data-kind={isLost ? 'bad' : undefined}>
            <Icon
              d={isLost ? close : isPending ? spin : incoming && outgoing ? swap : iconOf(main)}
              size={16}
              spin={isPending}
            />
          </span>
        </span>
      }
      title={title}
      note={note}
      end={
        <span className="gf-activity-end">
          <b>
            <bdi>{amountOf(main, isLost, locale)}</bdi>
          </b>
          <small>
            {transfers.length > 2 && `${t('activity.more', { n: transfers.length - 1 })} · `}
            {isPending ? (
              t('activity.pending')
            ) : (
              <time dateTime={new Date(time).toISOString()}>{timeOf(time, locale)}</time>
            )}
          </small>
        </span>
      }
    />
  )
}

function iconOf({ direction }: Transfer): string {
  return { in: receive, out: send, self: check }[direction]
}

/** The amount with its sign and symbol; an NFT has its name. A transaction that did not happen moved nothing, so it has no sign. */
function amountOf(transfer: Transfer, isLost: boolean, locale: string): string {
  const { direction, amount, name, isNft } = transfer
  if (!/[1-9]/.test(amount)) return ''
  const sign = isLost ? '' : { in: '+', out: '−', self: '' }[direction]
  if (isNft && amount === '1') return sign + name
  return `${sign}${formatBalance(amount, locale)} ${name}`
}

function timeOf(time: number, locale: string): string {
  return new Date(time).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}

/** Requests the next page when it is near the visible area. */
function NextPage(props: { isBusy: boolean; pages: number; onVisible: () => void }) {
  const { isBusy, pages, onVisible } = props
  const end = useNextPage<HTMLUListElement>({ isPaused: isBusy, pages, onVisible })
  return (
    <ul ref={end} className="gf-list" aria-hidden>
      <RowSkeleton />
    </ul>
  )
}
