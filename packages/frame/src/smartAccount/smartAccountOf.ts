import { smartAccountCodeHash, smartAccountContracts } from '@gatefold/protocol/frame'
import { getAddress, keccak256, type Address, type Hex } from 'viem'

/** The modules of smart accounts on a chain. */
export type Modules = { module: Address; setup: Address }

/** The index of the account among its owner's accounts. */
export const saltNonce = 0n

/**
 * The smart account of an owner. The address is computed, because a node could
 * return a false one.
 *
 * @returns its address, and the setup call of the Safe, which runs at
 *   deployment.
 * @see docs/adr/0028-smart-accounts.md
 */
export function smartAccountOf(
  owner: Address,
  modules: Modules,
): { address: Address; initializer: Hex } {
  const initializer = encodeSetup(owner, modules)
  const salt = keccak256(`0x${keccak256(initializer).slice(2)}${word(saltNonce)}`)
  // CREATE2, see EIP-1014.
  const parts = ['0xff', smartAccountContracts.factory, salt, smartAccountCodeHash]
  const hash = keccak256(`0x${parts.map((part) => part.slice(2)).join('')}`)
  return { address: getAddress(`0x${hash.slice(26)}`), initializer }
}

/**
 * `setup([owner], 1, setup, enableModules([module]), module, 0, 0, 0)` of the
 * Safe. All fields except the addresses are constant, and viem's encoder would
 * double the code that a login loads for this.
 */
function encodeSetup(owner: Address, { module, setup }: Modules): Hex {
  const enable = `8d0dc49f${[0x20, 1, module].map(word).join('')}`
  const head = [0x100, 1, setup, 0x140, module, 0, 0, 0]
  const owners = [1, owner]
  const words = [...head, ...owners, enable.length / 2].map(word).join('')
  // The last field has 100 bytes and is padded to a multiple of 32.
  return `0xb63e800d${words}${enable.padEnd(4 * 64, '0')}`
}

/** A number or an address as 32 bytes, without `0x`. */
function word(value: bigint | number | Address): string {
  const digits = typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)
  return digits.padStart(64, '0')
}
