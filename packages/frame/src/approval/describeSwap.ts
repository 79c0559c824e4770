import { isAddressEqual, type Address } from 'viem'
import type { ChainConfig } from '../config.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import type { Reading, Token } from './describeTransaction.ts'
import { formatAmount } from './formatAmount.ts'
import type { KnownSwap } from './readSwap.ts'
import type { Note } from './Statement.ts'
import { label, short } from './text.ts'

/**
 * Describes a swap: the most that the account pays, the least that the swap returns, and to whom.
 *
 * @param options.router - the contract that is called
 */
export async function describeSwap(options: {
  swap: KnownSwap
  router: Address
  chain: ChainConfig
  from: Address
  token: (address: Address) => Promise<Token | undefined>
  language: Language
}): Promise<Reading> {
  const { swap, router, chain, from, token, language } = options
  const t = translate(approvalText, language)
  const [paid, got] = await Promise.all([nameOf(swap.pay), nameOf(swap.get)])
  const [pay, get] = [paid.format(swap.most), got.format(swap.least)]
  const isOwn = isAddressEqual(swap.receiver, from)
  const notes: Note[] = []
  if (!isOwn)
    notes.push({
      level: 'danger',
      title: t('swap.elsewhere'),
      text: t('swap.elsewhereHint', { token: got.name, to: short(swap.receiver) }),
    })
  if (swap.least === 0n)
    notes.push({ level: 'danger', title: t('swap.noMinimum'), text: t('swap.noMinimumHint') })
  return {
    sentence: t(swap.isExact ? 'swap.exactPay' : 'swap.exactGet', { pay, get }),
    notes,
    movements: [
      // A payment in the native currency is the value of the call, which is shown in any case.
      ...(swap.pay ? [{ name: paid.name, amount: `−${pay}` }] : []),
      ...(isOwn
        ? [{ name: t('swap.atLeast', { token: got.name }), amount: `+${get}`, isGain: true }]
        : []),
    ],
    details: [
      [t('swap.most'), pay],
      [t('swap.least'), get],
      [t('approval.to'), isOwn ? t('swap.thisAccount') : swap.receiver],
      ...contractRow(swap.pay, paid.name),
      ...contractRow(swap.get, got.name),
      [t('swap.router', { name: swap.by }), router],
    ],
  }

  /** @param address - `undefined` for the native currency */
  async function nameOf(address: Address | undefined) {
    if (!address) {
      const { symbol, decimals } = chain
      return {
        name: symbol,
        format: (atomic: bigint) => `${formatAmount(atomic, decimals, language)} ${symbol}`,
      }
    }
    const known = await token(address)
    const name = known ? label(known.symbol, t('approval.unnamedToken')) : short(address)
    return {
      name,
      format: (atomic: bigint) =>
        known
          ? `${formatAmount(atomic, known.decimals, language)} ${name}`
          : t('approval.unitsOf', { n: String(atomic), token: name }),
    }
  }

  /** The contract of a token, because a contract chooses its own name. */
  function contractRow(address: Address | undefined, name: string): [string, string][] {
    return address ? [[t('swap.contractOf', { token: name }), address]] : []
  }
}
