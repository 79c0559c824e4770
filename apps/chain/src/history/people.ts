import { getAddress, keccak256, parseUnits, toHex, type Address } from 'viem'
import { bookmarksAbi, nftAbi, usdcAbi } from '../abis.ts'
import { accounts } from '../accounts.ts'
import { addresses } from '../addresses.ts'
import type { Node } from '../createNode.ts'

/**
 * The accounts of the demo wallets. They take part in the history, so that
 * their views have content.
 */
const walletAccounts = 3
/** The bookmarks that are in a server's list. */
export const bookmarkIds = [1n, 2n] as const

export type TokenName = 'usdc' | 'book' | 'weth'

/** An address of the history, and what is known about it before the next block. */
export type Person = {
  address: Address
  /** A lower bound, in the smallest unit: what swaps yield is not counted. */
  tokens: Record<TokenName, bigint>
  plates: bigint[]
  bookmarks: Record<'1' | '2', bigint>
  /** The tokens that the router may spend. */
  approved: Set<TokenName>
  /** The latest receivers, newest first. */
  receivers: Address[]
}

/** Chooses the addresses of a history, and gives those without a key ether and tokens. */
export async function createPeople(node: Node, count: number, seed: number): Promise<Person[]> {
  const known = accounts.slice(0, Math.min(walletAccounts, count)).map(({ address }) => address)
  const others = Array.from({ length: count - known.length }, (_, index) =>
    addressOf(`gatefold history ${seed} ${index}`),
  )
  await Promise.all(
    others.map(async (address, index) => {
      // Different amounts, so that not all lists look the same.
      const share = BigInt(1 + (index % 9))
      await node.setBalance({ address, value: share * parseUnits('11', 18) })
      await deal(node, address, addresses.usdc, share * parseUnits('1810.35', 6))
      await deal(node, address, addresses.book, share * parseUnits('92.5', 18))
    }),
  )
  const everyone = [...known, ...others]
  return Promise.all(everyone.map(async (address) => readPerson(node, address)))
}

/** An address whose key nobody has. */
export function addressOf(text: string): Address {
  return getAddress(`0x${keccak256(toHex(text)).slice(-40)}`)
}

async function deal(node: Node, to: Address, token: Address, amount: bigint) {
  const params = [to, token, toHex(amount)]
  await node.request({ method: 'anvil_dealERC20', params } as never)
}

async function readPerson(node: Node, address: Address): Promise<Person> {
  const balance = async (token: Address) =>
    node.readContract({ address: token, abi: usdcAbi, functionName: 'balanceOf', args: [address] })
  const bookmark = async (id: bigint) =>
    node.readContract({
      address: addresses.bookmarks,
      abi: bookmarksAbi,
      functionName: 'balanceOf',
      args: [address, id],
    })
  const plates = { address: addresses.nft, abi: nftAbi } as const
  const owned = await node.readContract({ ...plates, functionName: 'balanceOf', args: [address] })
  const [usdc, book, weth, first, second, ...ids] = await Promise.all([
    balance(addresses.usdc),
    balance(addresses.book),
    balance(addresses.weth),
    bookmark(1n),
    bookmark(2n),
    ...Array.from({ length: Number(owned) }, async (_, index) =>
      node.readContract({
        ...plates,
        functionName: 'tokenOfOwnerByIndex',
        args: [address, BigInt(index)],
      }),
    ),
  ])
  return {
    address,
    tokens: { usdc, book, weth },
    plates: ids,
    bookmarks: { 1: first, 2: second },
    approved: new Set(),
    receivers: [],
  }
}
