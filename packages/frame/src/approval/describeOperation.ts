import type { Address } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Change } from '../rpc/simulateChanges.ts'
import {
  amount,
  describeChanges,
  readCall,
  type Call,
  type Reading,
  type Token,
} from './describeTransaction.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import type { SwapContext } from './readSwap.ts'
import type { Limit, Note, Statement } from './Statement.ts'

/**
 * Describes an operation of a smart account: each of its calls, and who pays the fee.
 *
 * @param options.missing - the amount that the account lacks, including the fee
 *   if the account pays it.
 * @param options.isFirst - whether the operation also deploys the account.
 * @param options.changes - what the account gains and loses, without the fee;
 *   `undefined` if unknown.
 * @param options.limits - what the visitor can choose for the allowances in the calls, by the index of the call.
 */
export async function describeOperation(options: {
  calls: readonly Call[]
  chain: ChainConfig
  from: Address
  fee: bigint
  isSponsored: boolean
  isFirst: boolean
  missing: bigint
  token: (address: Address) => Promise<Token | undefined>
  isSettler: SwapContext['isSettler']
  changes: readonly Change[] | undefined
  limits?: ReadonlyMap<number, Limit>
  language: Language
}): Promise<Statement> {
  const { calls, chain, fee, isSponsored, isFirst, missing, language } = options
  const { limits = new Map<number, Limit>() } = options
  const t = translate(approvalText, language)
  const readings = await Promise.all(calls.map((call) => readCall({ ...options, call })))
  const [only] = readings
  const total = calls.reduce((sum, { value }) => sum + value, 0n)
  const notes: Note[] = []
  if (missing > 0n)
    notes.push({
      level: 'danger',
      title: t('approval.short', { amount: amount(missing, chain, language) }),
      text: t(isSponsored ? 'approval.shortSmart' : 'approval.shortSmartFee', {
        token: chain.symbol,
      }),
    })
  notes.push(...unique(readings.flatMap((reading) => reading.notes)))
  if (isFirst)
    notes.push({
      level: 'info',
      title: t('approval.creates'),
      text: t('approval.createsHint', { network: chain.name }),
    })
  const isDanger = notes.some(({ level }) => level === 'danger')
  const isWarn = notes.some(({ level }) => level === 'warn')
  const single = calls.length === 1 ? only : undefined
  const common: [string, string][] = [
    [t('approval.network'), chain.name],
    [
      t('approval.fee'),
      isSponsored
        ? t('approval.feeBySite')
        : t('approval.feeByYou', { amount: amount(fee, chain, language) }),
    ],
  ]
  const movements = options.changes
    ? await describeChanges(options.changes, options)
    : [
        ...(total > 0n ? [{ name: chain.symbol, amount: amount(-total, chain, language) }] : []),
        ...readings.flatMap((reading) => reading.movements),
      ]
  const unknown = readings.find(({ second }) => second)
  const statement: Statement = {
    heading: t('approval.transaction'),
    sentence: single?.sentence ?? t('approval.calls', { n: calls.length }),
    level: isDanger ? 'danger' : isWarn ? 'warn' : 'plain',
    notes,
    movements,
    ...(single
      ? limits.has(0) && { limit: limits.get(0)! }
      : { steps: readings.map((reading, index) => toStep(reading, limits.get(index))) }),
    details: [...(single?.details ?? []), ...common],
    ...(single?.exact !== undefined && { exact: single.exact }),
    ...(isDanger && {
      tick: readings.find(({ tick }) => tick)?.tick ?? t('approval.tickSend'),
    }),
    action: t('approval.label'),
  }
  if (!unknown?.second) return statement
  // Calls that cannot be decoded require a second approval, which shows all
  // bytes.
  const { second } = unknown
  const exact = single ? second.exact : readings.map((one) => one.exact ?? '').filter(Boolean)
  return {
    ...statement,
    second: {
      ...second,
      movements,
      details: single ? second.details : common,
      exact: Array.isArray(exact) ? exact.join('\n\n') : (exact ?? ''),
    },
  }
}

function toStep(
  { sentence, details, exact }: Reading,
  limit: Limit | undefined,
): NonNullable<Statement['steps']>[number] {
  return { sentence, details, ...(exact !== undefined && { exact }), ...(limit && { limit }) }
}

/** Removes duplicate notes, such as those of two unknown calls. */
function unique(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [note.title + note.text, note])).values()]
}
