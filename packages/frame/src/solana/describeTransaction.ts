import { getBase64Decoder } from '@solana/kit'
import { askAgain } from '../approval/askAgain.ts'
import { formatAmount } from '../approval/formatAmount.ts'
import type { Level, Movement, Note, Statement } from '../approval/Statement.ts'
import { short } from '../approval/text.ts'
import type { ChainConfig } from '../config.ts'
import { approvalText } from '../strings/approval.ts'
import { frameText } from '../strings/frame.ts'
import type { Language } from '../strings/language.ts'
import { solanaText } from '../strings/solana.ts'
import { translate, type Translate } from '../strings/translate.ts'
import { sol, type Reading } from './readInstruction.ts'
import type { Changes, Power, Simulation } from './simulate.ts'

const levels: readonly Level[] = ['plain', 'warn', 'danger', 'refused']

/**
 * Describes a transaction from its instructions and its simulation.
 *
 * @param options.fee - in lamports; `undefined` if the network does not return
 *   it
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
  language: Language
}): Statement {
  const { readings, chain, owner, signers, fee, bytes, language } = options
  const t = translate(text, language)
  const { changes } = options.simulation
  const blocked = readings.find(({ level }) => level === 'refused')
  const handsOver = blocked ?? (changes?.isReassigned ? toReassigned(t) : undefined)
  if (handsOver)
    return {
      heading: t('approval.transaction'),
      sentence: handsOver.sentence!,
      level: 'refused',
      notes: handsOver.notes ?? [],
      movements: [],
      details: [...(handsOver.details ?? []), [t('approval.network'), chain.name]],
      action: t('frame.close'),
    }

  const isUnknown = readings.some((one) => one.isUnknown)
  const notes = [
    ...readings.flatMap((one) => one.notes ?? []),
    ...(isUnknown ? [toUnknownNote(t)] : []),
    ...toPowerNotes(changes, readings, t),
    ...toLifetimeNotes(readings, t),
    ...toSimulationNotes(options.simulation, t),
    ...(signers[0] === owner ? toFeeNotes(fee, t, language) : []),
  ]
  const sentences = readings.flatMap(({ sentence }) => sentence ?? [])
  const others = signers.filter((one) => one !== owner)
  const details: [string, string][] = [
    ...toDetails(readings),
    ...(signers[0] === owner ? [] : ([[t('solana.feeBy'), signers[0]!]] as [string, string][])),
    ...others
      .filter((one) => one !== signers[0])
      .map((one): [string, string] => [t('solana.signedBy'), one]),
    [t('approval.network'), chain.name],
    [t('solana.fee'), fee === undefined ? t('solana.feeUnknown') : sol(fee, language)],
  ]
  const level = toLevel(notes)
  const tick = readings.find((one) => one.tick)?.tick ?? t('solana.tick')
  const exact = getBase64Decoder().decode(bytes)
  return {
    heading: t('approval.transaction'),
    sentence:
      sentences.length > 1
        ? t('solana.actions', { n: sentences.length })
        : (sentences[0] ?? t('solana.nothing')),
    level,
    notes,
    movements: toMovements(changes, t, language),
    details,
    ...(isUnknown && { exact, second: toSecond(details, exact, language) }),
    ...(level === 'danger' && { tick }),
    action: t('approval.label'),
  }
}

const text = { ...frameText, ...approvalText, ...solanaText }
type Text = Translate<typeof text>

const toReassigned = (t: Text): Reading => ({
  sentence: t('solana.reassigned'),
  notes: [
    {
      level: 'refused',
      title: t('approval.blocked'),
      text: t('solana.reassignedTried'),
    },
  ],
})

const toUnknownNote = (t: Text): Note => ({
  level: 'warn',
  title: t('solana.unknownTitle'),
  text: t('solana.unknownHint'),
})

function toSecond(details: [string, string][], exact: string, language: Language): Statement {
  const t = translate(solanaText, language)
  return askAgain({ text: t('solana.againHint'), details, exact, language })
}

/** The level of the most dangerous note. */
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

/** What the account loses and gains, according to the simulation. */
function toMovements(changes: Changes | undefined, t: Text, language: Language): Movement[] {
  if (!changes) return []
  const sign = (atomic: bigint) => (atomic > 0n ? '+' : '−')
  const size = (atomic: bigint) => (atomic < 0n ? -atomic : atomic)
  return [
    ...(changes.lamports === 0n
      ? []
      : [
          {
            name: 'SOL',
            amount: `${sign(changes.lamports)}${sol(size(changes.lamports), language)}`,
          },
        ]),
    ...changes.tokens.map(({ mint, atomic, decimals }) => ({
      name: t('solana.token', { mint: short(mint) }),
      amount: `${sign(atomic)}${
        decimals === undefined
          ? t('approval.units', { n: String(size(atomic)) })
          : formatAmount(size(atomic), decimals, language)
      }`,
    })),
  ]
}

/**
 * Notes about control that others gain in the simulation, unless an instruction
 * already states it. Displayed text does not count: a site can put any address
 * into it, for example as a memo.
 */
function toPowerNotes(changes: Changes | undefined, readings: readonly Reading[], t: Text): Note[] {
  if (!changes) return []
  const stated = readings.flatMap(({ powers = [] }) => powers)
  return changes.powers
    .filter((power) => !stated.some((one) => isCovered(power, one)))
    .map(({ kind, account, holder }) => ({
      level: 'danger',
      title: kind === 'spend' ? t('solana.later') : t('solana.control'),
      text:
        kind === 'spend'
          ? t('solana.laterTried', { spender: short(holder) })
          : t('solana.controlTried', { account: short(account) }),
    }))
}

/** Whether a power is what an instruction states, or less. */
function isCovered(power: Power, stated: Power): boolean {
  return (
    power.account === stated.account &&
    power.kind === stated.kind &&
    power.holder === stated.holder &&
    (power.amountAtomic ?? 0n) <= (stated.amountAtomic ?? 0n)
  )
}

function toLifetimeNotes(readings: readonly Reading[], t: Text): Note[] {
  return readings.some(({ isDurable }) => isDurable)
    ? [
        {
          level: 'warn',
          title: t('solana.durable'),
          text: t('solana.durableHint'),
        },
      ]
    : []
}

function toSimulationNotes({ failure, wasTried }: Simulation, t: Text): Note[] {
  if (failure !== undefined)
    return [
      {
        level: 'danger',
        title: t('approval.fails'),
        text: t('solana.failsHint', { reason: failure }),
      },
    ]
  return wasTried
    ? []
    : [
        {
          level: 'warn',
          title: t('approval.notTried'),
          text: t('solana.notTriedHint'),
        },
      ]
}

/**
 * Fees above this, in lamports, are unusual: priority fees rarely reach a tenth
 * of it.
 */
const highFee = 10_000_000n
/** A fee, in lamports, that most transactions do not reach. */
const usualFee = 1_000_000n

/** A priority fee can be as high as the balance. */
function toFeeNotes(fee: bigint | undefined, t: Text, language: Language): Note[] {
  if (fee !== undefined && fee <= highFee) return []
  return [
    {
      level: fee === undefined ? 'warn' : 'danger',
      title:
        fee === undefined
          ? t('solana.feeUnknownTitle')
          : t('solana.feeHigh', { amount: sol(fee, language) }),
      text: t('solana.feeHint', { amount: sol(usualFee, language) }),
    },
  ]
}

/** Describes several transactions that are signed with one approval. */
export function describeAll(statements: readonly Statement[], language: Language): Statement {
  const t = translate(text, language)
  const [first] = statements
  if (statements.length === 1) return first!
  const refused = statements.find(({ level }) => level === 'refused')
  if (refused) return refused
  const seconds = statements.flatMap(({ second }) => second ?? [])
  const notes = dedupe(statements.flatMap((one) => one.notes))
  const level = toLevel(notes)
  const tick = statements.find((one) => one.tick)?.tick
  const details = statements.flatMap((one, index): [string, string][] => [
    [t('solana.position', { position: index + 1, n: statements.length }), one.sentence],
    ...one.details.filter(([term]) => term !== t('approval.network')),
  ])
  const network = first!.details.find(([term]) => term === t('approval.network'))
  return {
    heading: t('solana.transactions'),
    sentence: t('solana.sign', { n: statements.length }),
    level,
    notes,
    movements: statements.flatMap((one) => one.movements),
    details: [...details, ...(network ? [network] : [])],
    ...(seconds.length > 0 && {
      exact: seconds.map(({ exact }) => exact).join('\n\n'),
      second: { ...seconds[0]!, details, exact: seconds.map(({ exact }) => exact).join('\n\n') },
    }),
    ...(tick !== undefined && { tick }),
    action: t('solana.approveAll'),
  }
}

function dedupe(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [note.title + note.text, note])).values()]
}
