import { encodeFunctionData, parseAbi, parseUnits, type Address, type Hex } from 'viem'
import { bookmarksAbi, nftAbi, revertsAbi, usdcAbi, wethAbi } from '../abis.ts'
import { addresses } from '../addresses.ts'
import { routerAbi } from '../pools.ts'
import type { Random } from '../random.ts'
import { bookmarkIds, type Person, type TokenName } from './people.ts'

/** What a transaction of the history does. */
export type Kind =
  | 'payment'
  | 'transfer'
  | 'approval'
  | 'swap'
  | 'mint'
  | 'nftTransfer'
  | 'bookmark'
  | 'wrap'
  | 'call'
  | 'failure'
  | 'airdrop'
  | 'dust'
  | 'poison'

/** A transaction that is about to be sent. */
export type Draft = {
  from: Address
  to: Address
  data?: Hex
  value?: bigint
  /** Called once the transaction is in a block, to update what the people own and have approved. */
  after?: () => void
}

/** The inputs from which a transaction is drafted. */
export type Scene = {
  random: Random
  sender: Person
  /** Another person. */
  receiver: Person
  /** The number of the plate that the next mint creates. */
  nextPlate: bigint
}

const tokenNames = ['usdc', 'book', 'weth'] as const
const decimals = { usdc: 6, book: 18, weth: 18 }
/** The largest usual amounts, in whole tokens. */
const usual = { usdc: 400, book: 60, weth: 0.5 }

/** How often each kind occurs. The kinds that come from strangers are in `strangers.ts`. */
export const weights: readonly (readonly [kind: OwnKind, weight: number])[] = [
  ['payment', 22],
  ['transfer', 26],
  ['approval', 6],
  ['swap', 16],
  ['mint', 5],
  ['nftTransfer', 4],
  ['bookmark', 5],
  ['wrap', 6],
  ['call', 3],
  ['failure', 4],
]

export type OwnKind = Exclude<Kind, 'airdrop' | 'dust' | 'poison'>

/**
 * Drafts a transaction of a kind.
 *
 * @returns undefined if the sender lacks what it needs
 */
export function draft(kind: OwnKind, scene: Scene): Draft | undefined {
  return drafts[kind](scene)
}

const drafts: Record<OwnKind, (scene: Scene) => Draft | undefined> = {
  payment({ random, sender, receiver }) {
    const value = amountOf(random, 1.5, 18)
    return { from: sender.address, to: receiver.address, value, after: () => pay(sender, receiver) }
  },

  transfer({ random, sender, receiver }) {
    const name = random.pick(tokenNames)
    const amount = affordable(random, sender, name)
    if (amount === 0n) return undefined
    return {
      from: sender.address,
      to: addresses[name],
      data: transferData(receiver.address, amount),
      after() {
        sender.tokens[name] -= amount
        receiver.tokens[name] += amount
        pay(sender, receiver)
      },
    }
  },

  approval({ random, sender }) {
    const name = random.pick(tokenNames)
    const amount = amountOf(random, usual[name] * 20, decimals[name])
    return approve(sender, name, amount)
  },

  swap({ random, sender }) {
    if (random.chance(0.5)) {
      const [tokenOut, fee] = random.chance(0.8)
        ? ([addresses.usdc, random.chance(0.7) ? 500 : 3000] as const)
        : ([addresses.book, 3000] as const)
      const value = amountOf(random, 0.8, 18)
      return swap(sender, { tokenIn: addresses.weth, tokenOut, fee, amountIn: value, value })
    }
    const name = random.pick(['usdc', 'book'] as const)
    const amountIn = affordable(random, sender, name)
    if (amountIn === 0n) return undefined
    if (!sender.approved.has(name)) return approve(sender, name, 2n ** 96n)
    const order = swap(sender, {
      tokenIn: addresses[name],
      tokenOut: addresses.weth,
      fee: name === 'usdc' ? 500 : 3000,
      amountIn,
    })
    return { ...order, after: () => void (sender.tokens[name] -= amountIn) }
  },

  mint({ sender, nextPlate }) {
    const args = [sender.address] as const
    return {
      from: sender.address,
      to: addresses.nft,
      data: encodeFunctionData({ abi: nftAbi, functionName: 'mint', args }),
      after: () => void sender.plates.push(nextPlate),
    }
  },

  nftTransfer({ random, sender, receiver }) {
    if (sender.plates.length === 0) return undefined
    const plate = random.pick(sender.plates)
    return {
      from: sender.address,
      to: addresses.nft,
      data: encodeFunctionData({
        abi: nftAbi,
        functionName: 'transferFrom',
        args: [sender.address, receiver.address, plate],
      }),
      after() {
        sender.plates.splice(sender.plates.indexOf(plate), 1)
        receiver.plates.push(plate)
        pay(sender, receiver)
      },
    }
  },

  bookmark({ random, sender, receiver }) {
    const id = random.pick(bookmarkIds)
    const key = `${id}` as const
    const amount = BigInt(1 + random.below(3))
    const mints = sender.bookmarks[key] < amount
    const { address: from } = sender
    return {
      from,
      to: addresses.bookmarks,
      data: mints
        ? encodeFunctionData({ abi: bookmarksAbi, functionName: 'mint', args: [from, id, amount] })
        : encodeFunctionData({
            abi: bookmarksAbi,
            functionName: 'safeTransferFrom',
            args: [from, receiver.address, id, amount, '0x'],
          }),
      after() {
        if (mints) return void (sender.bookmarks[key] += amount)
        sender.bookmarks[key] -= amount
        receiver.bookmarks[key] += amount
        pay(sender, receiver)
      },
    }
  },

  wrap({ random, sender }) {
    const to = addresses.weth
    const unwraps = sender.tokens.weth > 0n && random.chance(0.4)
    const amount = unwraps ? affordable(random, sender, 'weth') : amountOf(random, 0.4, 18)
    if (amount === 0n) return undefined
    return unwraps
      ? {
          from: sender.address,
          to,
          data: encodeFunctionData({ abi: wethAbi, functionName: 'withdraw', args: [amount] }),
          after: () => void (sender.tokens.weth -= amount),
        }
      : {
          from: sender.address,
          to,
          data: encodeFunctionData({ abi: wethAbi, functionName: 'deposit' }),
          value: amount,
          after: () => void (sender.tokens.weth += amount),
        }
  },

  call({ sender }) {
    const abi = parseAbi(['function getBlockNumber() view returns (uint256)'])
    return { from: sender.address, to: addresses.multicall3, data: encodeFunctionData({ abi }) }
  },

  failure({ random, sender, receiver }) {
    const from = sender.address
    const tooMuch = parseUnits('1000000000000', 6)
    if (random.chance(0.5))
      return { from, to: addresses.usdc, data: transferData(receiver.address, tooMuch) }
    if (random.chance(0.5)) {
      const data = encodeFunctionData({ abi: revertsAbi, functionName: 'withReason' })
      return { from, to: addresses.reverts, data }
    }
    // A price that no trade reaches.
    const value = amountOf(random, 0.3, 18)
    const order = { tokenIn: addresses.weth, tokenOut: addresses.usdc, fee: 500, value }
    return swap(sender, { ...order, amountIn: value, amountOutMinimum: tooMuch })
  },
}

export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [to, amount] })
}

/** Records a receiver, so that a look-alike address can imitate it later. */
function pay(sender: Person, receiver: Person): void {
  sender.receivers = [receiver.address, ...sender.receivers].slice(0, 5)
}

function approve(sender: Person, name: TokenName, amount: bigint): Draft {
  return {
    from: sender.address,
    to: addresses[name],
    data: encodeFunctionData({
      abi: usdcAbi,
      functionName: 'approve',
      args: [addresses.uniswapV3SwapRouter02, amount],
    }),
    // Only large approvals cover every later swap.
    after: () =>
      void (amount >= 2n ** 96n ? sender.approved.add(name) : sender.approved.delete(name)),
  }
}

function swap(
  sender: Person,
  order: {
    tokenIn: Address
    tokenOut: Address
    fee: number
    amountIn: bigint
    amountOutMinimum?: bigint
    value?: bigint
  },
): Draft {
  const { value, amountOutMinimum = 0n, ...rest } = order
  return {
    from: sender.address,
    to: addresses.uniswapV3SwapRouter02,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: 'exactInputSingle',
      args: [{ ...rest, amountOutMinimum, recipient: sender.address, sqrtPriceLimitX96: 0n }],
    }),
    ...(value !== undefined && { value }),
  }
}

/** A random amount of at most a third of what the sender has, so that some remains; 0n if it would be dust. */
function affordable(random: Random, sender: Person, name: TokenName): bigint {
  const most = sender.tokens[name] / 3n
  const wanted = amountOf(random, usual[name], decimals[name])
  const amount = wanted < most ? wanted : most
  return amount < parseUnits('0.0001', decimals[name]) ? 0n : amount
}

/**
 * A random amount in the smallest unit. Small amounts are more frequent, and
 * many amounts are round.
 */
function amountOf(random: Random, largest: number, places: number): bigint {
  const share = random.next() ** 2.5
  const millionths = Math.max(1, Math.round(share * largest * 1_000_000))
  const step = random.chance(0.5) ? 10 ** Math.max(0, String(millionths).length - 2) : 1
  return parseUnits(String(Math.ceil(millionths / step) * step), places) / 1_000_000n
}
