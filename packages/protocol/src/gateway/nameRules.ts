import { BaseError } from '../errors.ts'
import { nameMinLength } from '../limits/defaults.ts'
import { nameMaxLength } from '../limits/names.ts'

// This module imports no schemas, because pages load it. See `checks.ts`.

/** The zone that official clients write behind every label. It stands for the zone of the default project. */
export const officialZone = 'reown.id'

/** Coin type of Ethereum. @see ENSIP-9 */
export const etherCoinType = 60
/** Added to the chain id of an EVM chain to get its coin type. @see ENSIP-11 */
const evmCoinTypeBit = 0x8000_0000

/**
 * The coin type of an EVM chain, as official clients compute it, even for
 * Ethereum, whose registered coin type is 60.
 *
 * @throws {BaseError} the chain id is not a whole number from 1 to 2147483647
 * @see spec §5.4.2
 */
export function toCoinType(chainId: number): number {
  if (!Number.isInteger(chainId) || chainId < 1 || chainId >= evmCoinTypeBit)
    throw new BaseError('Invalid chainId', {
      code: 'names.invalid_chain_id',
      metaMessages: [`${chainId} is not a whole number from 1 to ${evmCoinTypeBit - 1}.`],
    })
  return evmCoinTypeBit + chainId
}

/** The chain id of a coin type; `undefined` if the coin type is not that of an EVM chain. */
export function toChainId(coinType: number): number | undefined {
  if (coinType === etherCoinType) return 1
  const chainId = coinType - evmCoinTypeBit
  return Number.isInteger(chainId) && chainId > 0 && chainId < evmCoinTypeBit ? chainId : undefined
}

/**
 * The reason why a label cannot be a name: its length, a character other than
 * letters (a to z), digits and hyphens, a hyphen that is not between two
 * letters or digits, or the form of an address.
 */
export type LabelProblem = 'short' | 'long' | 'characters' | 'hyphens' | 'address'

/**
 * Checks the label of a name. Upper case is allowed because clients let
 * visitors type it. Hyphens may only separate, so that no label starts with
 * `xn--`.
 *
 * @returns `undefined` if the label can be a name
 * @see docs/gateway.md#names; spec §5.4.1
 */
export function findLabelProblem(label: string): LabelProblem | undefined {
  if (/[^a-zA-Z0-9-]/.test(label)) return 'characters'
  if (label.length > nameMaxLength) return 'long'
  if (/^-|--/.test(label)) return 'hyphens'
  if (label.length < nameMinLength) return 'short'
  if (label.endsWith('-')) return 'hyphens'
  return /^0x[0-9a-f]+$/i.test(label) ? 'address' : undefined
}
