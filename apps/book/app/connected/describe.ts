import { formatBalance } from '@gatefold/kit/core'
import type { Entry, Holdings } from '../wallet/money.ts'
import { icons } from './icons.ts'

const titles: Record<Entry['action'], [done: string, pending: string]> = {
  approve: ['Approved', 'Approving'],
  burn: ['Burned', 'Burning'],
  cancel: ['Canceled', 'Canceling'],
  deploy: ['Deployed a contract', 'Deploying a contract'],
  deposit: ['Deposited', 'Depositing'],
  execute: ['Contract call', 'Contract call'],
  mint: ['Minted', 'Minting'],
  receive: ['Received', 'Receiving'],
  send: ['Sent', 'Sending'],
  trade: ['Swapped', 'Swapping'],
  withdraw: ['Withdrew', 'Withdrawing'],
}

/** The texts of a transaction's row. */
export function describeEntry({ action, moves, status }: Entry): {
  title: string
  amount: string
  icon: string
} {
  const [done, pending] = titles[action]
  const incoming = moves.find(({ direction }) => direction === 'in')
  const outgoing = moves.find(({ direction }) => direction !== 'in')
  // The amount that a pending swap yields is not known yet.
  const main = incoming && /[1-9]/.test(incoming.amount) ? incoming : (outgoing ?? incoming)
  const sign = status === 'failed' || !main ? '' : { in: '+', out: '−', self: '' }[main.direction]
  return {
    title: status === 'pending' ? pending : status === 'failed' ? `Failed: ${done}` : done,
    amount: main && /[1-9]/.test(main.amount) ? `${sign}${formatMove(main)}` : '',
    icon:
      status === 'failed'
        ? icons.close
        : incoming && outgoing
          ? icons.swap
          : { in: icons.receive, out: icons.send, self: icons.check }[main?.direction ?? 'self'],
  }
}

/** An NFT is counted only if there are several. */
function formatMove({ amount, name }: Entry['moves'][number]): string {
  const isNft = amount === '1' && /[ #]/.test(name)
  return isNft ? name : `${formatBalance(amount, 'en')} ${name}`
}

/**
 * Formats an amount of money, rounded down to the smallest unit of its currency. Takes text, because a number would lose
 * digits.
 *
 * @param currency - an ISO 4217 code
 */
export function formatMoney(value: string, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    roundingMode: 'floor',
  })
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  const [whole = '0', fraction = ''] = value.split('.')
  const isDust = /[1-9]/.test(value) && !/[1-9]/.test(whole + fraction.slice(0, places))
  const shown = isDust ? `${10 ** -places}` : value
  return `${isDust ? '<' : ''}${format.format(shown as `${number}`)}`
}

/** The line below the total. */
export function describeHoldings({ holdings, isPartial }: Holdings): string {
  if (isPartial) return 'At least this much: a network didn’t respond'
  const networks = new Set(holdings.map(({ network }) => network)).size
  if (networks === 0) return 'Nothing on any network yet'
  return `${count(holdings.length, 'token')} on ${count(networks, 'network')}`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' })

/**
 * Formats how long ago a transaction was; the date if it was more than a week ago.
 *
 * @param time - Unix time in ms
 */
export function formatAge(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000))
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return relative.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3_600), 'hour')
  if (seconds < 7 * 86_400) return relative.format(-Math.floor(seconds / 86_400), 'day')
  return date.format(time)
}
