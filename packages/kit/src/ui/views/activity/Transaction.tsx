import { shortAddress } from '../../../core/account/shortAddress.ts'
import { getAccount } from '../../../core/connection/account.ts'
import { canReplace } from '../../../core/money/pending/canReplace.ts'
import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import type { PendingTransaction } from '../../../core/money/pending/PendingTransaction.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitQuery } from '../../../react/queries.ts'
import { copy as copyIcon } from '../../icons/account.ts'
import { check } from '../../icons/base.ts'
import { useCopy } from '../../hooks/useCopy.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { Note } from '../../parts/Note.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Style } from '../../parts/Style.tsx'
import { activityText } from '../../strings/activity.ts'
import activityCss from '../../styles/activity.css?inline'
import css from '../../styles/holdings.css?inline'
import { ActivityFailure } from './ActivityFailure.tsx'
import { ActivityPicture } from './ActivityPicture.tsx'
import { describeActivity } from './describeActivity.ts'
import { useActivityEntries } from './useActivityEntries.ts'
import { useReplace } from './useReplace.ts'

/**
 * A transaction: what it did, on which network, when, and its fee. A pending
 * transaction can be sped up or canceled.
 *
 * @see docs/views.md#transaction
 */
export function Transaction({ data: { id } }: { data: ViewData['Transaction'] }) {
  const kit = useInstance()
  const t = useText(activityText)
  const locale = useKitState((state) => state.locale)
  const { entries, history } = useActivityEntries()
  const found = entries.find((entry) => entry.id === id)
  const entry = useLastValue(found, Boolean(found))
  const fee = useFee(entry)
  if (!entry)
    return (
      <div className="gf-body">
        {history.isLoading ? (
          <Skeletons label={t('activity.loading')} heights={[174, 308, 48]} />
        ) : history.isError ? (
          <ActivityFailure history={history} />
        ) : (
          <Empty title={t('activity.gone')}>{t('activity.goneHint')}</Empty>
        )}
      </div>
    )
  const { from, to, network, hash, time, status, submitted } = entry
  const activity = describeActivity(entry, t, locale)
  const explorer = hash && explorerUrl(network, hash, 'tx')
  return (
    <div className="gf-body">
      <Style css={css} />
      <Style css={activityCss} />
      <TokenStyle />
      <div className="gf-hero">
        <ActivityPicture activity={activity} size={64} />
        <small dir="auto">{activity.title}</small>
        <b>
          <bdi>{activity.amount}</bdi>
        </b>
        {activity.traded && <small>{t('activity.traded', activity.traded)}</small>}
      </div>
      {status === 'failed' && submitted && (
        <Note kind="bad" title={t('activity.why')}>
          {t('activity.whyHint', { reason: submitted.reason ?? '' })}
        </Note>
      )}
      {(status === 'dropped' || status === 'replaced') && (
        <Note kind="warn">{t(`activity.${status}Hint`)}</Note>
      )}
      <Facts>
        <Fact label={t('activity.status')}>
          <span role="status">{t(statusTexts[status])}</span>
        </Fact>
        {from && <CopyFact label={t('activity.sender')} value={from} />}
        {to && <CopyFact label={t('activity.receiver')} value={to} />}
        <Fact label={t('activity.network')}>
          <Artwork {...networkArt(kit, network)} size={16} />
          {network.name}
        </Fact>
        <Fact label={t(activity.isPending ? 'activity.submitted' : 'activity.when')}>
          <time dateTime={new Date(time).toISOString()}>
            {new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </Fact>
        {activity.value && (
          <Fact label={t('activity.valueThen')}>
            <Money value={activity.value} />
          </Fact>
        )}
        {fee && (
          <Fact label={t('activity.fee')}>
            {/[1-9]/.test(fee) ? (
              <TokenAmount amount={fee} symbol={network.nativeCurrency.symbol} as="fee" />
            ) : (
              t('activity.free')
            )}
          </Fact>
        )}
        {hash && <CopyFact label={t('activity.hash')} value={hash} />}
      </Facts>
      {submitted && activity.isPending && (
        <Replace transaction={submitted} network={network.name} />
      )}
      {explorer && <Button href={safeHref(explorer)}>{t('activity.explorer')}</Button>}
    </div>
  )
}

const statusTexts = {
  pending: 'activity.statusPending',
  confirmed: 'activity.statusConfirmed',
  failed: 'activity.statusFailed',
  canceled: 'activity.statusCanceled',
  replaced: 'activity.statusReplaced',
  dropped: 'activity.statusDropped',
} as const

/**
 * Buttons that speed up or cancel a pending transaction, if the wallet supports
 * this, and the outcome.
 */
function Replace(props: { transaction: PendingTransaction; network: string }) {
  const { transaction, network } = props
  const t = useText(activityText)
  const { wallet, first } = useWalletName()
  const can = useKitState((state) => canReplace(state, transaction))
  const { replacing, replace } = useReplace(transaction.id, {
    failed: t('activity.replaceFailed'),
    notReplaced: t('activity.notReplaced', { wallet: first }),
  })
  if (!can) return null
  if (can === 'network') return <Note>{t('activity.otherNetwork', { network })}</Note>
  const isBusy = replacing.status === 'wallet'
  const how = 'how' in replacing ? replacing.how : undefined
  return (
    <>
      {describe()}
      <div className="gf-duo">
        <Button
          busy={isBusy && how === 'cancel'}
          disabled={isBusy}
          onClick={() => replace('cancel')}
        >
          {t('activity.cancelIt')}
        </Button>
        <Button
          kind="primary"
          busy={isBusy && how === 'speedUp'}
          disabled={isBusy}
          onClick={() => replace('speedUp')}
        >
          {t('activity.speedUp')}
        </Button>
      </div>
    </>
  )

  function describe() {
    switch (replacing.status) {
      case 'none':
        return <Note>{t('activity.replaceHint')}</Note>
      case 'wallet':
        if (replacing.isSilent)
          return (
            <Note kind="warn" role="status" title={t('activity.silent', { wallet: first })}>
              {t('activity.silentHint')}
            </Note>
          )
        return (
          <Note role="status">
            {t(how === 'cancel' ? 'activity.confirmCancel' : 'activity.confirmSpeedUp', { wallet })}
          </Note>
        )
      case 'sent':
        return (
          <Note kind="good" icon={check} role="status">
            {t(how === 'cancel' ? 'activity.canceling' : 'activity.spedUp')}
          </Note>
        )
      case 'rejected':
        return (
          <Note kind="warn" role="alert">
            {t('activity.declined', { wallet })}
          </Note>
        )
      case 'notReplaced':
        return (
          <Note kind="bad" role="alert" title={t('activity.notReplaced', { wallet: first })}>
            {t('activity.notReplacedHint')}
          </Note>
        )
      case 'failed': {
        const { error } = replacing
        const { shortMessage = error.message } = error as Error & { shortMessage?: string }
        return (
          <Note kind="bad" role="alert" title={t('activity.replaceFailed')}>
            {shortMessage}
          </Note>
        )
      }
    }
  }
}

/** An address or a hash, with a button that copies it. */
function CopyFact({ label, value }: { label: string; value: string }) {
  const t = useText(activityText)
  const { copied, copy } = useCopy(t('activity.copyFailed'))
  const short = shortAddress(value)
  return (
    <Fact label={label}>
      <button
        type="button"
        className="gf-link"
        aria-label={t('activity.copy', { what: label, value: short })}
        onClick={() => copy(value)}
      >
        <bdi dir="ltr">{short}</bdi>
        <Icon d={copied ? check : copyIcon} size={16} />
      </button>
      <span className="gf-hidden" role="status">
        {copied && t('activity.copied')}
      </span>
    </Fact>
  )
}

/**
 * The fee that the account paid: recorded for a submitted transaction, read from
 * the network for others; undefined until it is known, and if another account paid.
 */
function useFee(entry: ActivityEntry | undefined): string | undefined {
  const known = entry?.submitted?.fee
  const isEnded = entry?.status === 'confirmed' || entry?.status === 'failed'
  const hash = isEnded ? entry.hash : undefined
  const active = useKitState((state) => getAccount(state)?.address)
  const account = entry?.submitted?.account ?? active
  const { data } = useKitQuery({
    name: 'transactionFee',
    key: [entry?.network.caipNetworkId, hash, account],
    enabled: Boolean(hash && account) && known === undefined,
    staleTime: Infinity,
    load: async (kit) => {
      const { readFee } = await import('../../../core/money/pending/readFee.ts')
      const { network } = entry!
      return (await readFee(kit, { network, account: account!, hash: hash! })) ?? null
    },
  })
  return known ?? data ?? undefined
}
