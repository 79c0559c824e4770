import { formatBalance } from '../../../core/account/formatBalance.ts'
import { isRevocation } from '../../../core/money/ActivityTransfer.ts'
import type { Transfer } from '../../../core/money/ActivityTransfer.ts'
import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import { receive, send, swap } from '../../icons/account.ts'
import { check, close, spin } from '../../icons/base.ts'
import type { Translate } from '../../hooks/useText.ts'
import type { activityText } from '../../strings/activity.ts'

/** The texts of a transaction's row and details. */
export type DescribedActivity = {
  /** What it did, such as `Sent`. */
  title: string
  /** The moved amount, with sign and symbol; '' if none. */
  amount: string
  /** Its value when the transaction was executed, as a decimal number; undefined if it is unknown or nothing moved. */
  value: string | undefined
  /** The transfer to show. */
  main: Transfer
  /** The tokens of a swap. */
  traded: { a: string; b: string } | undefined
  /** Whether `from` is the other side. */
  isReceived: boolean
  isPending: boolean
  /** Whether it ended without moving anything. */
  isLost: boolean
  /** The icon of its status or direction. */
  icon: string
}

export function describeActivity(
  { type, status, transfers, submitted }: ActivityEntry,
  t: Translate<typeof activityText>,
  locale: string,
): DescribedActivity {
  const outgoing = transfers.find(({ direction }) => direction !== 'in')
  const incoming = transfers.find(({ direction }) => direction === 'in')
  // The amount that a swap returns is unknown until the history contains it.
  const main =
    incoming && /[1-9]/.test(incoming.amount) ? incoming : (outgoing ?? incoming ?? transfers[0]!)
  const isPending = status === 'pending'
  const isLost = !isPending && status !== 'confirmed'
  const isRevoked = isRevocation({ type, transfers })
  const kind = isRevoked ? 'revoke' : type
  return {
    title: isLost
      ? t(`activity.${status}`, { what: t(`activity.name.${kind}`) })
      : isPending && submitted
        ? t(isRevoked ? 'activity.revokePending' : `activity.${submitted.type}Pending`)
        : t(`activity.${kind}`),
    amount: amountOf(main, isLost, locale),
    value: isPending || isLost ? undefined : main.value,
    main,
    traded: outgoing && incoming && { a: outgoing.name, b: incoming.name },
    isReceived: type === 'receive' || (type === 'mint' && !outgoing),
    isPending,
    isLost,
    icon: isLost
      ? close
      : isPending
        ? spin
        : incoming && outgoing
          ? swap
          : { in: receive, out: send, self: check }[main.direction],
  }
}

/**
 * The amount with its sign and symbol, or the name of an NFT, without a sign. A transaction
 * that was not executed moved nothing, so there is no sign.
 */
function amountOf(transfer: Transfer, isLost: boolean, locale: string): string {
  const { direction, amount, name, isNft } = transfer
  if (!/[1-9]/.test(amount)) return ''
  const sign = isLost ? '' : { in: '+', out: '−', self: '' }[direction]
  if (isNft && amount === '1') return name
  return `${sign}${formatBalance(amount, locale)} ${name}`
}
