import { decodeFunctionData, parseAbi, type Address, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Change } from '../rpc/simulateChanges.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import { askAgain } from './askAgain.ts'
import { formatAmount } from './formatAmount.ts'
import { formatEnd } from './formatEnd.ts'
import { readPermit2Approval, type Permit2Approval } from './permit2.ts'
import type { KnownSwap, SwapContext } from './readSwap.ts'
import type { Limit, Movement, Note, Statement } from './Statement.ts'
import { label, short, unlimitedAmount } from './text.ts'

/** The call that is signed. */
export type Call = { to: Address | null; value: bigint; data: Hex }

export type Token = { symbol: string; decimals: number }

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])

/**
 * Describes a transaction from its call.
 *
 * @param options.token - reads the symbol and decimals of a token; `undefined`
 *   for a contract that is not a token.
 * @param options.isSettler - whether a contract is a Settler of 0x.
 * @param options.failure - why the simulation failed, if it did.
 * @param options.wasTried - whether the node could simulate it.
 * @param options.changes - what the account gains and loses; `undefined` if
 *   unknown.
 * @param options.limit - what the visitor can choose for the allowance in the call.
 */
export async function describeTransaction(options: {
  call: Call
  chain: ChainConfig
  from: Address
  fee: bigint
  /** What the account lacks for the value and the fee. */
  missing: bigint
  token: (address: Address) => Promise<Token | undefined>
  isSettler: SwapContext['isSettler']
  failure: string | undefined
  wasTried: boolean
  changes: readonly Change[] | undefined
  limit?: Limit | undefined
  language: Language
}): Promise<Statement> {
  const { call, chain, fee, missing, failure, wasTried, language } = options
  const t = translate(approvalText, language)
  const read = await readCall(options)
  const native: Movement[] =
    call.value > 0n ? [{ name: chain.symbol, amount: amount(-call.value, chain, language) }] : []
  const movements = options.changes
    ? await describeChanges(options.changes, options)
    : [...native, ...read.movements]
  const notes: Note[] = [...read.notes]
  if (missing > 0n)
    notes.push({
      level: 'danger',
      title: t('approval.short', { amount: amount(missing, chain, language) }),
      text: t('approval.shortHint', { token: chain.symbol }),
    })
  else if (failure !== undefined)
    notes.push({
      level: 'danger',
      title: t('approval.fails'),
      text: t('approval.failsHint', { reason: failure }),
    })
  else if (!wasTried)
    notes.push({
      level: 'warn',
      title: t('approval.notTried'),
      text: t('approval.notTriedHint'),
    })
  const isDangerous = notes.some(({ level }) => level === 'danger')
  return {
    ...read,
    heading: t('approval.transaction'),
    level: isDangerous ? 'danger' : notes.some(({ level }) => level === 'warn') ? 'warn' : 'plain',
    notes,
    movements,
    ...(read.second && { second: { ...read.second, movements } }),
    ...(options.limit && { limit: options.limit }),
    details: [
      ...read.details,
      [t('approval.network'), chain.name],
      [t('approval.gas'), amount(fee, chain, language)],
    ],
    ...(isDangerous && { tick: read.tick ?? t('approval.tickSend') }),
    action: t('approval.label'),
  }
}

/** The changes of an account: all losses, then gains. */
export async function describeChanges(
  changes: readonly Change[],
  {
    chain,
    token,
    language,
  }: Pick<Parameters<typeof describeTransaction>[0], 'chain' | 'token' | 'language'>,
): Promise<Movement[]> {
  const t = translate(approvalText, language)
  const sorted = changes.toSorted((a, b) => Number(a.amount > 0n) - Number(b.amount > 0n))
  const losses = changes.filter((change) => change.amount < 0n).length
  const count = Math.max(maxMovements, losses)
  const shown = await Promise.all(
    sorted.slice(0, count).map(async ({ contract, id, amount: atomic }) => {
      const isGain = atomic > 0n
      const units = isGain ? atomic : -atomic
      const sign = isGain ? '+' : '−'
      if (!contract)
        return { name: chain.symbol, amount: sign + amount(units, chain, language), isGain }
      const known = await token(contract)
      // The address too, because a contract chooses its own name.
      const name = known
        ? `${label(known.symbol, t('approval.unnamedToken'))} ${short(contract)}`
        : short(contract)
      const text =
        id === undefined
          ? known
            ? formatAmount(units, known.decimals, language)
            : t('approval.units', { n: String(units) })
          : `${units} NFT #${id.toString().slice(0, 12)}`
      return { name, amount: sign + text, isGain }
    }),
  )
  const more = sorted.length - shown.length
  return more > 0 ? [...shown, { name: t('approval.more', { n: more }), amount: '' }] : shown
}

/** The number of changes that are shown, if there are not more losses: a contract can send any number of tokens. */
const maxMovements = 8

export type Reading = Pick<Statement, 'sentence' | 'notes' | 'movements' | 'details'> &
  Partial<Pick<Statement, 'tick' | 'exact' | 'second'>>

/** Reads what a call does. */
export async function readCall({
  call,
  chain,
  from,
  token,
  isSettler,
  changes,
  language,
}: Pick<
  Parameters<typeof describeTransaction>[0],
  'call' | 'chain' | 'from' | 'token' | 'isSettler' | 'changes' | 'language'
>): Promise<Reading> {
  const t = translate(approvalText, language)
  const { to, value, data } = call
  const unknownCall = (sentence: string) =>
    describeUnknown({ call, chain, sentence, wasSimulated: changes !== undefined, language })
  if (to === null) return unknownCall(t('approval.create'))
  if (data === '0x')
    return {
      sentence: t('approval.send', { amount: amount(value, chain, language), to: short(to) }),
      notes: [],
      movements: [],
      details: [[t('approval.to'), to]],
    }
  const swap = await readSwapOf(call, { chain, from, isSettler })
  if (swap) {
    const { describeSwap } = await import('./describeSwap.ts')
    return describeSwap({ swap, router: to, chain, from, token, language })
  }
  const permit2 = readPermit2Approval(call)
  const decoded = permit2
    ? ({ functionName: 'approve', args: [permit2.spender, permit2.amount] } as const)
    : decode(data)
  if (!decoded) return unknownCall(t('approval.unknown'))
  const contract = permit2?.token ?? to
  const known = await token(contract)
  const name = known ? label(known.symbol, t('approval.unnamedToken')) : short(contract)
  const units = (atomic: bigint) =>
    known
      ? `${formatAmount(atomic, known.decimals, language)} ${name}`
      : t('approval.units', { n: String(atomic) })
  switch (decoded.functionName) {
    case 'transfer':
    case 'transferFrom':
    case 'safeTransferFrom': {
      const { args } = decoded
      const isTransfer = decoded.functionName === 'transfer'
      const [owner, receiver, atomic] = isTransfer
        ? [from, args[0], args[1] as bigint]
        : [args[0], args[1] as Address, args[2]!]
      const isOwn = owner.toLowerCase() === from.toLowerCase()
      return {
        sentence: known
          ? t('approval.send', { amount: units(atomic), to: short(receiver) })
          : t('approval.sendOf', {
              amount:
                decoded.functionName === 'safeTransferFrom'
                  ? t('approval.nft', { id: String(atomic) })
                  : units(atomic),
              token: short(to),
            }),
        notes: [],
        movements: isOwn ? [{ name, amount: `−${known ? units(atomic) : '1'}` }] : [],
        details: [
          [t('approval.to'), receiver],
          [t('approval.contract'), to],
        ],
      }
    }
    case 'approve':
    case 'increaseAllowance': {
      const [spender, atomic] = decoded.args
      const isUnlimited = atomic >= unlimitedAmount
      // Collections have no decimals, and the same method lets the spender move the NFT with this id, which can be 0.
      // Permit2 moves only tokens.
      const mayBeNft = !known && !permit2 && decoded.functionName === 'approve'
      return {
        sentence: isUnlimited
          ? t('approval.allowAll', { spender: short(spender), token: name })
          : mayBeNft
            ? t('approval.allowEither', {
                spender: short(spender),
                n: String(atomic),
                token: name,
              })
            : atomic === 0n
              ? t('approval.disallow', { spender: short(spender), token: name })
              : t('approval.allow', { spender: short(spender), amount: units(atomic) }),
        notes: isUnlimited
          ? [
              {
                level: 'danger',
                title: t('approval.unlimitedTitle'),
                text: t('approval.unlimitedHint', { token: name }),
              },
            ]
          : [],
        movements: [],
        details: [
          [t('approval.spender'), spender],
          [t('approval.amount'), isUnlimited ? t('approval.unlimited') : units(atomic)],
          ...(permit2 ? permit2Rows(permit2, to, language) : []),
          [t('approval.contract'), contract],
        ],
        ...(isUnlimited && { tick: t('approval.tickSpender') }),
      }
    }
    case 'setApprovalForAll': {
      const [operator, isApproved] = decoded.args
      return {
        sentence: isApproved
          ? t('approval.allowMove', { spender: short(operator), token: name })
          : t('approval.disallowMove', { spender: short(operator), token: name }),
        notes: isApproved
          ? [
              {
                level: 'danger',
                title: t('approval.collection'),
                text: t('approval.collectionHint'),
              },
            ]
          : [],
        movements: [],
        details: [
          [t('approval.operator'), operator],
          [t('approval.contract'), to],
        ],
        ...(isApproved && { tick: t('approval.tickOperator') }),
      }
    }
  }
}

/** Until when an allowance of Permit2 is valid, and the address of Permit2. */
function permit2Rows(
  { expiration }: Permit2Approval,
  to: Address,
  language: Language,
): [string, string][] {
  const t = translate(approvalText, language)
  const end = expiration === 0 ? t('approval.thisBlock') : formatEnd(expiration, language)
  return [
    [t('approval.until'), end],
    [t('approval.through'), to],
  ]
}

/** A call as a swap. The decoders are loaded with the first call on a network with contracts of swaps. */
export async function readSwapOf(call: Call, context: SwapContext): Promise<KnownSwap | undefined> {
  const { uniswap, zeroEx, oneInch } = context.chain
  if (!uniswap && !zeroEx && !oneInch) return undefined
  const { readSwap } = await import('./readSwap.ts')
  return readSwap(call, context)
}

function describeUnknown({
  call,
  chain,
  sentence,
  wasSimulated,
  language,
}: {
  call: Call
  chain: ChainConfig
  sentence: string
  wasSimulated: boolean
  language: Language
}): Reading {
  const t = translate(approvalText, language)
  const bytes = (call.data.length - 2) / 2
  const details: [string, string][] = [
    ...(call.to ? ([[t('approval.to'), call.to]] as [string, string][]) : []),
    [t('approval.data'), t('approval.bytes', { n: bytes })],
  ]
  return {
    sentence,
    notes: [
      {
        level: 'warn',
        title: t('approval.unknownTitle'),
        text: t(wasSimulated ? 'approval.simulatedHint' : 'approval.unknownHint'),
      },
    ],
    movements: [],
    details,
    exact: call.data,
    second: askAgain({
      text: t('approval.stillUnknownHint'),
      details: [...details, [t('approval.network'), chain.name]],
      exact: call.data,
      language,
    }),
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

/** An amount of the native currency, with a sign if it is negative. */
export function amount(
  atomic: bigint,
  { decimals, symbol }: ChainConfig,
  language: Language,
): string {
  const sign = atomic < 0n ? '−' : ''
  return `${sign}${formatAmount(atomic < 0n ? -atomic : atomic, decimals, language)} ${symbol}`
}
