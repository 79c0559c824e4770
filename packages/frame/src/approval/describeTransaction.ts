import { decodeFunctionData, formatUnits, maxUint256, parseAbi, type Address, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Change } from '../rpc/simulateChanges.ts'
import { askAgain } from './askAgain.ts'
import type { Movement, Note, Statement } from './Statement.ts'
import { label, short } from './text.ts'

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

/** Allowances above this share of 2^256 are unlimited: no token has so many units. */
const unlimited = maxUint256 / 2n

/**
 * Describes a transaction from its call.
 *
 * @param options.token - reads the symbol and decimals of a token; `undefined` for a contract that is none.
 * @param options.failure - why the transaction would fail, if it was tried.
 * @param options.wasTried - whether the node could try it.
 * @param options.changes - what the account gains and loses; `undefined` if that is not known.
 */
export async function describeTransaction(options: {
  call: Call
  chain: ChainConfig
  from: Address
  fee: bigint
  /** What the account lacks for the value and the fee. */
  missing: bigint
  token: (address: Address) => Promise<Token | undefined>
  failure: string | undefined
  wasTried: boolean
  changes: readonly Change[] | undefined
}): Promise<Statement> {
  const { call, chain, fee, missing, failure, wasTried } = options
  const read = await readCall(options)
  const native: Movement[] =
    call.value > 0n ? [{ name: chain.symbol, amount: amount(-call.value, chain) }] : []
  const movements = options.changes
    ? await describeChanges(options.changes, options)
    : [...native, ...read.movements]
  const notes: Note[] = [...read.notes]
  if (missing > 0n)
    notes.push({
      level: 'danger',
      title: `${amount(missing, chain)} short`,
      text: `The account has too little for the amount and the gas. Add some ${chain.symbol} first.`,
    })
  else if (failure !== undefined)
    notes.push({
      level: 'danger',
      title: 'This would fail',
      text: `We tried it out first: ${failure}. Its gas would be lost.`,
    })
  else if (!wasTried)
    notes.push({
      level: 'warn',
      title: 'Not tried out first',
      text: 'The network did not answer. Amounts below are what the call says.',
    })
  const isDangerous = notes.some(({ level }) => level === 'danger')
  return {
    ...read,
    heading: 'Approve Transaction',
    level: isDangerous ? 'danger' : notes.some(({ level }) => level === 'warn') ? 'warn' : 'plain',
    notes,
    movements,
    ...(read.second && { second: { ...read.second, movements } }),
    details: [
      ...read.details,
      ['Network', chain.name],
      ['Gas, at most', `${formatUnits(fee, chain.decimals)} ${chain.symbol}`],
    ],
    ...(isDangerous && { tick: read.tick ?? 'Send it anyway.' }),
    action: 'Approve',
  }
}

/** The changes of an account, losses first. */
export async function describeChanges(
  changes: readonly Change[],
  { chain, token }: Pick<Parameters<typeof describeTransaction>[0], 'chain' | 'token'>,
): Promise<Movement[]> {
  const sorted = changes.toSorted((a, b) => Number(a.amount > 0n) - Number(b.amount > 0n))
  const shown = await Promise.all(
    sorted.slice(0, maxMovements).map(async ({ contract, id, amount: atomic }) => {
      const isGain = atomic > 0n
      const units = isGain ? atomic : -atomic
      const sign = isGain ? '+' : '−'
      if (!contract) return { name: chain.symbol, amount: sign + amount(units, chain), isGain }
      const known = await token(contract)
      // The address too, because a contract chooses its own name.
      const name = known ? `${label(known.symbol)} ${short(contract)}` : short(contract)
      const text =
        id === undefined
          ? known
            ? formatUnits(units, known.decimals)
            : `${units} units`
          : `${units} NFT #${id.toString().slice(0, 12)}`
      return { name, amount: sign + text, isGain }
    }),
  )
  const more = sorted.length - shown.length
  return more > 0 ? [...shown, { name: `and ${more} more`, amount: '' }] : shown
}

/** A contract can send any number of tokens, to hide what leaves the account. */
const maxMovements = 8

export type Reading = Pick<Statement, 'sentence' | 'notes' | 'movements' | 'details'> &
  Partial<Pick<Statement, 'tick' | 'exact' | 'second'>>

/** Reads what a call does. */
export async function readCall({
  call,
  chain,
  from,
  token,
  changes,
}: Pick<
  Parameters<typeof describeTransaction>[0],
  'call' | 'chain' | 'from' | 'token' | 'changes'
>): Promise<Reading> {
  const { to, value, data } = call
  const unknownCall = (sentence: string) =>
    describeUnknown({ call, chain, sentence, wasSimulated: changes !== undefined })
  if (to === null) return unknownCall('Create a contract')
  if (data === '0x')
    return {
      sentence: `Send ${amount(value, chain)} to ${short(to)}`,
      notes: [],
      movements: [],
      details: [['To', to]],
    }
  const decoded = decode(data)
  if (!decoded) return unknownCall('Call an unknown contract')
  const known = await token(to)
  const units = (atomic: bigint) =>
    known ? `${formatUnits(atomic, known.decimals)} ${label(known.symbol)}` : `${atomic} units`
  const name = known ? label(known.symbol) : short(to)
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
          ? `Send ${units(atomic)} to ${short(receiver)}`
          : `Send ${decoded.functionName === 'safeTransferFrom' ? `NFT ${atomic}` : units(atomic)} of ${short(to)}`,
        notes: [],
        movements: isOwn ? [{ name, amount: `−${known ? units(atomic) : '1'}` }] : [],
        details: [
          ['To', receiver],
          ['Contract', to],
        ],
      }
    }
    case 'approve':
    case 'increaseAllowance': {
      const [spender, atomic] = decoded.args
      const isUnlimited = atomic > unlimited
      return {
        sentence:
          atomic === 0n
            ? `Stop ${short(spender)} from spending your ${name}`
            : `Let ${short(spender)} spend ${isUnlimited ? `all your ${name}` : units(atomic)}`,
        notes: isUnlimited
          ? [
              {
                level: 'danger',
                title: 'Unlimited spending',
                text: `It could take all your ${name}, now or later.`,
              },
            ]
          : [],
        movements: [],
        details: [
          ['Spender', spender],
          ['Amount', isUnlimited ? 'Unlimited' : units(atomic)],
          ['Contract', to],
        ],
        ...(isUnlimited && { tick: 'I know this contract and want to allow it.' }),
      }
    }
    case 'setApprovalForAll': {
      const [operator, isApproved] = decoded.args
      return {
        sentence: isApproved
          ? `Let ${short(operator)} move all your ${name}`
          : `Stop ${short(operator)} from moving your ${name}`,
        notes: isApproved
          ? [
              {
                level: 'danger',
                title: 'All of a collection',
                text: `It could take all of them, now or later, without asking again.`,
              },
            ]
          : [],
        movements: [],
        details: [
          ['Operator', operator],
          ['Contract', to],
        ],
        ...(isApproved && { tick: 'I trust this contract with all of them.' }),
      }
    }
  }
}

function describeUnknown({
  call,
  chain,
  sentence,
  wasSimulated,
}: {
  call: Call
  chain: ChainConfig
  sentence: string
  wasSimulated: boolean
}): Reading {
  const bytes = (call.data.length - 2) / 2
  const details: [string, string][] = [
    ...(call.to ? ([['To', call.to]] as [string, string][]) : []),
    ['Data', `${bytes} bytes`],
  ]
  return {
    sentence,
    notes: [
      {
        level: 'warn',
        title: 'We cannot say what this does',
        text: wasSimulated
          ? 'Nothing known matches this call. Below is what changed when we tried it out; it can differ when it is sent.'
          : 'Nothing known matches this call. Go on only if you trust this site fully.',
      },
    ],
    movements: [],
    details,
    exact: call.data,
    second: askAgain({
      text: 'It could move any coins of this account. Nobody can call that back.',
      details: [...details, ['Network', chain.name]],
      exact: call.data,
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
export function amount(atomic: bigint, { decimals, symbol }: ChainConfig): string {
  const sign = atomic < 0n ? '−' : ''
  return `${sign}${formatUnits(atomic < 0n ? -atomic : atomic, decimals)} ${symbol}`
}
