import { useMemo, useState } from 'react'

import { shortAddress } from '../../../core/account/shortAddress.ts'
import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import { push } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { receive } from '../../icons/account.ts'
import { useNextPage } from '../../hooks/useNextPage.ts'
import { useText } from '../../hooks/useText.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { List, Row, RowSkeleton } from '../../parts/List.tsx'
import type { RowItem } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Money } from '../../parts/money/Amounts.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { Style } from '../../parts/Style.tsx'
import { activityText } from '../../strings/activity.ts'
import css from '../../styles/activity.css?inline'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { ActivityFailure } from './ActivityFailure.tsx'
import { ActivityPicture } from './ActivityPicture.tsx'
import { describeActivity } from './describeActivity.ts'
import { groupByDay } from './groupByDay.ts'
import { LongRows } from './LongRows.tsx'
import { useActivityEntries } from './useActivityEntries.ts'

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
  const { entries: all, history } = useActivityEntries()
  const { data, isError, refetch, hasNextPage, fetchNextPage } = history
  const [showsSpam, setShowsSpam] = useState(false)
  const shown = useMemo(
    () => (showsSpam ? all : all.filter(({ isSpam }) => !isSpam)),
    [all, showsSpam],
  )
  const days = useMemo(
    () =>
      groupByDay(shown, locale, {
        today: t('activity.today'),
        yesterday: t('activity.yesterday'),
      }),
    [shown, locale, t],
  )
  const timeFormat = useMemo(
    () => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
    [locale],
  )
  const hidden = all.length - shown.length
  const skeleton = (
    <Scroll max={max}>
      <List label={t('activity.loading')}>
        {Array.from({ length: Math.ceil(max / 56) }, (_, index) => (
          <RowSkeleton key={index} isRound />
        ))}
      </List>
    </Scroll>
  )
  if (!data && all.length === 0)
    return (
      <div className="gf-activity">
        <Style css={css} />
        {isError ? <ActivityFailure history={history} /> : skeleton}
      </div>
    )
  return (
    <div className="gf-activity">
      <Style css={css} />
      <TokenStyle />
      {!data && isError && (
        <Note
          kind="warn"
          role="alert"
          title={t('activity.failedTitle')}
          end={
            <button type="button" className="gf-link" onClick={() => void refetch()}>
              {t('activity.tryAgain')}
            </button>
          }
        >
          {t('activity.partialHint')}
        </Note>
      )}
      <Scroll max={max}>
        {data && shown.length === 0 && !hasNextPage && <None network={name} />}
        {days.map(({ day, activities, before }) => (
          <section key={day} className="gf-day">
            <h3>{day}</h3>
            <List label={day}>
              <LongRows items={activities} before={before}>
                {(activity, item) => (
                  <ActivityRow
                    key={activity.id}
                    entry={activity}
                    item={item}
                    timeFormat={timeFormat}
                  />
                )}
              </LongRows>
            </List>
          </section>
        ))}
        {!data && !isError && skeleton}
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
            isBusy={history.isFetchingNextPage}
            isFailed={history.isFetchNextPageError}
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

function None({ network }: { network: string }) {
  const kit = useInstance()
  const t = useText(activityText)
  return (
    <>
      <Empty title={t('activity.empty')}>{t('activity.emptyHint', { network })}</Empty>
      {kit.options.features?.receive !== false && (
        <Button icon={receive} onClick={() => push(kit, { name: 'WalletReceive' })}>
          {t('activity.toReceive')}
        </Button>
      )}
    </>
  )
}

/**
 * A transaction: what it did, the other party, the moved amounts, and the time.
 * Opens its details.
 */
function ActivityRow(props: {
  entry: ActivityEntry
  item: RowItem
  timeFormat: Intl.DateTimeFormat
}) {
  const { entry, item, timeFormat } = props
  const kit = useInstance()
  const t = useText(activityText)
  const locale = useKitState((state) => state.locale)
  const { id, from, to, transfers, time } = entry
  const activity = describeActivity(entry, t, locale)
  const { isReceived, traded, value } = activity
  const other = isReceived ? from : to
  const note = traded
    ? t('activity.traded', traded)
    : other && t(isReceived ? 'activity.from' : 'activity.to', { address: shortAddress(other) })
  return (
    <Row
      item={item}
      onClick={() => push(kit, { name: 'Transaction', data: { id } })}
      start={<ActivityPicture activity={activity} />}
      title={activity.title}
      note={note}
      end={
        <span className="gf-activity-end">
          <b>
            <bdi>{activity.amount}</bdi>
          </b>
          <small>
            {transfers.length > 2 && `${t('activity.more', { n: transfers.length - 1 })} · `}
            {activity.isPending ? (
              t('activity.pending')
            ) : (
              <>
                {value && (
                  <>
                    <Money value={value} compact /> ·{' '}
                  </>
                )}
                <time dateTime={new Date(time).toISOString()}>{timeFormat.format(time)}</time>
              </>
            )}
          </small>
        </span>
      }
    />
  )
}

/** Requests the next page when it is near the visible area; after a failure, on request. */
function NextPage(props: {
  isBusy: boolean
  isFailed: boolean
  pages: number
  onVisible: () => void
}) {
  const { isBusy, isFailed, pages, onVisible } = props
  const t = useText(activityText)
  const end = useNextPage<HTMLUListElement>({ isPaused: isBusy || isFailed, pages, onVisible })
  if (isFailed && !isBusy)
    return (
      <p className="gf-footer" role="alert">
        {t('activity.moreFailed')}{' '}
        <button type="button" onClick={onVisible}>
          {t('activity.tryAgain')}
        </button>
      </p>
    )
  return (
    <ul ref={end} className="gf-list" aria-hidden>
      <RowSkeleton isRound />
    </ul>
  )
}
