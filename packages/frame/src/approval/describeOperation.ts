import { formatUnits, type Address } from 'viem'
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
import type { Note, Statement } from './Statement.ts'

/**
 * Describes an operation of a smart account: each of its calls, and who pays the fee.
 *
 * @param options.missing - what the account lacks for the amounts, and for the fee if it pays that.
 * @param options.isFirst - whether it creates the account.
 * @param options.changes - what the account gains and loses, without the fee; `undefined` if that is not known.
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
  changes: readonly Change[] | undefined
}): Promise<Statement> {
  const { calls, chain, fee, isSponsored, isFirst, missing } = options
  const readings = await Promise.all(calls.map((call) => readCall({ ...options, call })))
  const [only] = readings
  const total = calls.reduce((sum, { value }) => sum + value, 0n)
  const notes: Note[] = []
  if (missing > 0n)
    notes.push({
      level: 'danger',
      title: `${amount(missing, chain)} short`,
      text: isSponsored
        ? `The smart account has too little. Add some ${chain.symbol} first.`
        : `The smart account has too little for the amount and the fee. Add some ${chain.symbol} first.`,
    })
  notes.push(...unique(readings.flatMap((reading) => reading.notes)))
  if (isFirst)
    notes.push({
      level: 'info',
      title: 'Creates your smart account',
      text: `It is its first use on ${chain.name}. The address stays the same.`,
    })
  const isDanger = notes.some(({ level }) => level === 'danger')
  const isWarn = notes.some(({ level }) => level === 'warn')
  const single = calls.length === 1 ? only : undefined
  const common: [string, string][] = [
    ['Network', chain.name],
    [
      'Network fee',
      isSponsored
        ? 'Paid by the site'
        : `At most ${formatUnits(fee, chain.decimals)} ${chain.symbol}, paid by you`,
    ],
  ]
  const movements = options.changes
    ? await describeChanges(options.changes, options)
    : [
        ...(total > 0n ? [{ name: chain.symbol, amount: amount(-total, chain) }] : []),
        ...readings.flatMap((reading) => reading.movements),
      ]
  const unknown = readings.find(({ second }) => second)
  const statement: Statement = {
    heading: 'Approve Transaction',
    sentence: single?.sentence ?? `${calls.length} calls, all of them or none`,
    level: isDanger ? 'danger' : isWarn ? 'warn' : 'plain',
    notes,
    movements,
    ...(!single && { steps: readings.map(toStep) }),
    details: [...(single?.details ?? []), ...common],
    ...(single?.exact !== undefined && { exact: single.exact }),
    ...(isDanger && {
      tick: readings.find(({ tick }) => tick)?.tick ?? 'Send it anyway.',
    }),
    action: 'Approve',
  }
  if (!unknown?.second) return statement
  // Calls that cannot be read are asked about again, with all bytes.
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

function toStep({ sentence, details, exact }: Reading): NonNullable<Statement['steps']>[number] {
  return { sentence, details, ...(exact !== undefined && { exact }) }
}

/** Without repeated notes, such as those of two unknown calls. */
function unique(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [note.title + note.text, note])).values()]
}
