import {
  encodeFunctionData,
  getAddress,
  pad,
  parseUnits,
  stringToHex,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { usdcAbi } from '../abis.ts'
import { addresses } from '../addresses.ts'
import type { Node } from '../createNode.ts'
import type { Random } from '../random.ts'
import { transferData, type Draft } from './kinds.ts'
import { addressOf, type Person } from './people.ts'

/** Address of the hostile token. */
export const hostileToken = addressOf('gatefold hostile token')
/** The account that sends it unsolicited. */
const spammer = addressOf('gatefold spammer')

/** Storage slots of OpenZeppelin's ERC-20 for its name and symbol. */
const slots = { name: 3, symbol: 4 }

/** Places a token whose name is a link and whose symbol is markup, and gives its sender a supply. */
export async function placeHostileToken(node: Node): Promise<void> {
  // The code of BOOK, with other texts.
  const bytecode = await node.getCode({ address: addresses.book })
  if (!bytecode) throw new Error('There is no token to copy.')
  await node.setCode({ address: hostileToken, bytecode })
  await setText(node, slots.name, 'Claim ETH at eth-gift.example')
  await setText(node, slots.symbol, '<b>GIFT</b>')
  await node.setBalance({ address: spammer, value: parseUnits('100', 18) })
  const params = [spammer, hostileToken, toHex(parseUnits('1000000000', 18))]
  await node.request({ method: 'anvil_dealERC20', params } as never)
}

/** Sends the hostile token to a person. */
export function airdrop(random: Random, victim: Person): Draft {
  const amount = parseUnits(String(100 + random.below(90_000)), 18)
  return { from: spammer, to: hostileToken, data: transferData(victim.address, amount) }
}

/**
 * Sends a person a little ether from a look-alike of an address that the person
 * has paid.
 *
 * @returns undefined if the person has paid nobody
 */
export function dust(random: Random, victim: Person): Draft | undefined {
  const [latest] = victim.receivers
  if (!latest) return undefined
  const value = parseUnits('0.000001', 18) * BigInt(1 + random.below(9))
  return { from: lookAlike(latest, random), to: victim.address, value }
}

/**
 * Sends a zero-value transfer from a person to a look-alike of an address that
 * the person has paid. Anyone can send it without an approval, and a careless
 * wallet lists it as the person's own payment.
 *
 * @returns undefined if the person has paid nobody
 */
export function poison(random: Random, victim: Person): Draft | undefined {
  const [latest] = victim.receivers
  if (!latest) return undefined
  const from = lookAlike(latest, random)
  const args = [victim.address, from, 0n] as const
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transferFrom', args })
  return { from, to: addresses.usdc, data }
}

/** Another address with the same first and last four digits. */
function lookAlike(address: Address, random: Random): Address {
  const middle = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('')
  return getAddress(`${address.slice(0, 6)}${middle}${address.slice(-4)}`.toLowerCase())
}

/** Writes a text of at most 31 bytes into a slot, as Solidity does. */
async function setText(node: Node, slot: number, text: string): Promise<void> {
  const bytes = stringToHex(text, { size: 32 })
  const value = `${bytes.slice(0, -2)}${toHex(text.length * 2, { size: 1 }).slice(2)}` as Hex
  await node.setStorageAt({ address: hostileToken, index: pad(toHex(slot)), value })
}
