import { getBase64Decoder } from '@solana/kit'
import { formatUnits } from 'viem'
import { askAgain } from '../approval/askAgain.ts'
import type { Level, Movement, Note, Statement } from '../approval/Statement.ts'
import { short } from '../approval/text.ts'
import type { ChainConfig } from '../config.ts'
import { sol, type Reading } from './readInstruction.ts'
import type { Changes, Simulation } from './simulate.ts'

const levels: readonly Level[] = ['plain', 'warn', 'danger', 'refused']

/**
 * Describes a transaction from its instructions and its simulation.
 *
 * @param options.fee - in lamports; `undefined` if the network does not say
 * @param options.signers - all that must sign; the first one pays the fee
 */
export function describeTransaction(options: {
  readings: readonly Reading[]
  chain: ChainConfig
  owner: string
  signers: readonly string[]
  fee: bigint | undefined
  simulation: Simulation
  bytes: Uint8Array
}): Statement {
  const { readings, chain, owner, signers, fee, bytes } = options
  const { changes } = options.simulation
  const blocked = readings.find(({ level }) => level === 'refused')
  const handsOver = blocked ?? (changes?.isReassigned ? reassigned : undefined)
  if (handsOver)
    return {
      heading: 'Approve Transaction',
      sentence: handsOver.sentence!,
      level: 'refused',
      notes: handsOver.notes ?? [],
      movements: [],
      details: [...(handsOver.details ?? []), ['Network', chain.name]],
      action: 'Close',
    }

  const isUnknown = readings.some((one) => one.isUnknown)
  const notes = [
    ...readings.flatMap((one) => one.notes ?? []),
    ...(isUnknown ? [unknownNote] : []),
    ...toPowerNotes(changes, readings),
    ...toLifetimeNotes(readings),
    ...toSimulationNotes(options.simulation),
    ...(signers[0] === owner ? toFeeNotes(fee) : []),
  ]
  const sentences = readings.flatMap(({ sentence }) => sentence ?? [])
  const others = signers.filter((one) => one !== owner)
  const details: [string, string][] = [
    ...toDetails(readings),
    ...(signers[0] === owner ? [] : ([['Fee paid by', signers[0]!]] as [string, string][])),
    ...others
      .filter((one) => one !== signers[0])
      .map((one): [string, string] => ['Also signed by', one]),
    ['Network', chain.name],
    ['Fee', fee === undefined ? 'The network does not say' : sol(fee)],
  ]
  const level = toLevel(notes)
  const tick = readings.find((one) => one.tick)?.tick ?? 'Approve it anyway.'
  const exact = getBase64Decoder().decode(bytes)
  return {
    heading: 'Approve Transaction',
    sentence:
      sentences.length > 1
        ? `Approve ${sentences.length} actions`
        : (sentences[0] ?? emptySentence),
    level,
    notes,
    movements: toMovements(changes),
    details,
    ...(isUnknown && { exact, second: toSecond(details, exact) }),
    ...(level === 'danger' && { tick }),
    action: 'Approve',
  }
}

const emptySentence = 'Sign a transaction that moves nothing'

const reassigned: Reading = {
  sentence: 'This would give your account away',
  notes: [
    {
      level: 'refused',
      title: 'Blocked',
      text: 'We tried it out first: the account would belong to a program, which could take all that is in it.',
    },
  ],
}

const unknownNote: Note = {
  level: 'warn',
  title: 'We cannot say all that this does',
  text: 'It runs a program that we do not know. Go on only if you trust this site fully.',
}

function toSecond(details: [string, string][], exact: string): Statement {
  const text =
    'It could do something else than when we tried it, and move any coins of this account.'
  return askAgain({ text, details, exact })
}

/** The level of the gravest note. */
export function toLevel(notes: readonly Note[]): Level {
  const found = notes.map(({ level }) => levels.indexOf(level === 'info' ? 'plain' : level))
  return levels[Math.max(0, ...found)]!
}

/** With several instructions, what each one does comes before its details. */
function toDetails(readings: readonly Reading[]): [string, string][] {
  const isSingle = readings.filter(({ sentence }) => sentence !== undefined).length <= 1
  let number = 0
  return readings.flatMap(({ sentence, details = [] }): [string, string][] => {
    if (isSingle || sentence === undefined) return details
    number += 1
    return [[`${number}.`, sentence], ...details]
  })
}

/** What leaves the account, and what it gets, by the simulation. */
function toMovements(changes: Changes | undefined): Movement[] {
  if (!changes) return []
  const sign = (atomic: bigint) => (atomic > 0n ? '+' : '−')
  const size = (atomic: bigint) => (atomic < 0n ? -atomic : atomic)
  return [
    ...(changes.lamports === 0n
      ? []
      : [{ name: 'SOL', amount: `${sign(changes.lamports)}${sol(size(changes.lamports))}` }]),
    ...changes.tokens.map(({ mint, atomic, decimals }) => ({
      name: `Token ${short(mint)}`,
      amount: `${sign(atomic)}${
        decimals === undefined ? `${size(atomic)} units` : formatUnits(size(atomic), decimals)
      }`,
    })),
  ]
}

/** Powers that the simulation finds and no instruction says. */
function toPowerNotes(changes: Changes | undefined, readings: readonly Reading[]): Note[] {
  if (!changes) return []
  const said = new Set(readings.flatMap(({ details = [] }) => details.map(([, value]) => value)))
  return [
    ...changes.delegates
      .filter((delegate) => !said.has(delegate))
      .map((delegate): Note => ({
        level: 'danger',
        title: 'Spending later',
        text: `We tried it out first: ${short(delegate)} could then spend tokens of this account.`,
      })),
    ...changes.handedOver
      .filter((account) => !said.has(account))
      .map((account): Note => ({
        level: 'danger',
        title: 'Control changes hands',
        text: `We tried it out first: somebody else would control the token account ${short(account)}.`,
      })),
  ]
}

function toLifetimeNotes(readings: readonly Reading[]): Note[] {
  return readings.some(({ isDurable }) => isDurable)
    ? [
        {
          level: 'warn',
          title: 'It does not expire',
          text: 'The site can send it at any later time, when your balances may be different.',
        },
      ]
    : []
}

function toSimulationNotes({ failure, wasTried }: Simulation): Note[] {
  if (failure !== undefined)
    return [
      {
        level: 'danger',
        title: 'This would fail',
        text: `We tried it out first: ${failure}. Its fee would be lost.`,
      },
    ]
  return wasTried
    ? []
    : [
        {
          level: 'warn',
          title: 'Not tried out first',
          text: 'The network did not answer. Amounts below are what the transaction says.',
        },
      ]
}

/** Fees above this are unusual, in lamports: priority fees are rarely a tenth of it. */
const highFee = 10_000_000n

/** A priority fee can be as high as the balance. */
function toFeeNotes(fee: bigint | undefined): Note[] {
  if (fee !== undefined && fee <= highFee) return []
  return [
    {
      level: fee === undefined ? 'warn' : 'danger',
      title: fee === undefined ? 'Unknown fee' : `A fee of ${sol(fee)}`,
      text: 'You pay it even if the transaction fails. Most transactions cost less than 0.001 SOL.',
    },
  ]
}

/** Describes several transactions that are signed with one approval. */
export function describeAll(statements: readonly Statement[]): Statement {
  const [first] = statements
  if (statements.length === 1) return first!
  const refused = statements.find(({ level }) => level === 'refused')
  if (refused) return refused
  const seconds = statements.flatMap(({ second }) => second ?? [])
  const notes = dedupe(statements.flatMap((one) => one.notes))
  const level = toLevel(notes)
  const tick = statements.find((one) => one.tick)?.tick
  const details = statements.flatMap((one, index): [string, string][] => [
    [`${index + 1} of ${statements.length}`, one.sentence],
    ...one.details.filter(([term]) => term !== 'Network'),
  ])
  const network = first!.details.find(([term]) => term === 'Network')
  return {
    heading: 'Approve Transactions',
    sentence: `Sign ${statements.length} transactions`,
    level,
    notes,
    movements: statements.flatMap((one) => one.movements),
    details: [...details, ...(network ? [network] : [])],
    ...(seconds.length > 0 && {
      exact: seconds.map(({ exact }) => exact).join('\n\n'),
      second: { ...seconds[0]!, details, exact: seconds.map(({ exact }) => exact).join('\n\n') },
    }),
    ...(tick !== undefined && { tick }),
    action: 'Approve all',
  }
}

function dedupe(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [note.title + note.text, note])).values()]
}
