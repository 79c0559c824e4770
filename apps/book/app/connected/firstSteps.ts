import type { Money, MoneyView } from '../wallet/money.ts'

/** An account with more tokens or transactions than this is not new. */
const newUpTo = { tokens: 2, transactions: 5 }

export type Step = {
  key: 'fund' | 'swap' | 'name'
  title: string
  hint: string
  /** The label of its button. */
  action: string
  opens: MoneyView
  isDone: boolean
}

/**
 * The first steps of a new account, derived from its holdings and transactions;
 * `[]` if the account is not new or has completed all steps, `undefined` while
 * the data is loading.
 *
 * @param isLocal - whether the network is a local chain, for which the server's
 *   sandbox accepts test cards
 */
export function firstSteps(
  { holdings, latest, canBuy, hasName, zone }: Omit<Money, 'open'>,
  isLocal: boolean,
): readonly Step[] | undefined {
  if (holdings.status === 'loading' || latest.status === 'loading') return undefined
  if (holdings.status !== 'known' || latest.status !== 'known') return []
  const { entries, isComplete } = latest.value
  const tokens = holdings.value.holdings.length
  const isNew = isComplete && entries.length <= newUpTo.transactions && tokens <= newUpTo.tokens
  if (!isNew) return []
  if (hasName === undefined || canBuy === undefined) return undefined
  const steps: Step[] = [
    {
      key: 'fund',
      title: isLocal ? 'Get test money' : 'Get your first tokens',
      hint: fundHint(canBuy, isLocal),
      action: canBuy ? (isLocal ? 'Pay with a test card' : 'Buy') : 'Show my address',
      opens: { view: canBuy ? 'OnRampProviders' : 'WalletReceive' },
      isDone: tokens > 0,
    },
    {
      key: 'swap',
      title: 'Swap a little',
      hint: 'Trade some ETH for USDC, at the price in the pools.',
      action: 'Swap',
      opens: { view: 'Swap' },
      isDone: entries.some(({ action, status }) => action === 'trade' && status === 'confirmed'),
    },
  ]
  if (zone || hasName)
    steps.push({
      key: 'name',
      title: 'Take a name',
      hint: 'Others can then send to the name instead of the address.',
      action: 'Choose a name',
      opens: { view: 'ChooseAccountName' },
      isDone: hasName,
    })
  return steps.every(({ isDone }) => isDone) ? [] : steps
}

function fundHint(canBuy: boolean, isLocal: boolean): string {
  if (!canBuy) return 'Send some from another wallet.'
  return isLocal ? 'The sandbox takes a test card. No real money moves.' : 'Pay by card or bank.'
}
