import type { Feature } from './features.ts'
import { walletTextFields } from './walletTextFields.ts'
import type { WalletListing, WalletsQuery } from './wallets.ts'

// Hand-written equivalents of the schemas, for use in pages; `checks.test.ts` compares both. With the schemas,
// the kit's gateway chunk would grow from 1.0 to 1.6 KB and import the 30 KB chunk that contains valibot.

/** Whether a value matches the schema `WalletListing`. */
export function isWalletListing(value: unknown): value is WalletListing {
  return (
    isRecord(value) &&
    isString(value['id']) &&
    isString(value['name']) &&
    walletTextFields.every((field) => isNullish(value[field], isString)) &&
    isNullish(value['chains'], isStringArray) &&
    isNullish(value['order'], (order) => typeof order === 'number' && !Number.isNaN(order)) &&
    isNullish(value['injected'], (list) => Array.isArray(list) && list.every(isInjected))
  )
}

function isInjected(value: unknown): boolean {
  return (
    isRecord(value) &&
    isNullish(value['namespace'], isString) &&
    isNullish(value['injected_id'], isString)
  )
}

/** Whether a value matches the schema `Feature`. */
export function isFeature(value: unknown): value is Feature {
  return (
    isRecord(value) &&
    isString(value['id']) &&
    isNullish(value['isEnabled'], (state) => typeof state === 'boolean') &&
    isNullish(value['config'], isStringArray)
  )
}

/**
 * The first reason in the body of an error response.
 *
 * @returns `undefined` if the body contains no reason with a description.
 */
export function firstReason(
  body: unknown,
): { field: string | undefined; description: string; code?: string } | undefined {
  const reasons: unknown = isRecord(body) ? body['reasons'] : undefined
  const first: unknown = Array.isArray(reasons) ? reasons[0] : undefined
  if (!isRecord(first) || !isString(first['description'])) return undefined
  const { field, description, code } = first
  return {
    field: isString(field) ? field : undefined,
    description,
    ...(isString(code) && { code }),
  }
}

/** Formats the query of `GET /getWallets`, as the schema `WalletsQuery` parses it. Omits empty values. */
export function formatWalletsQuery(query: WalletsQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value.toString() === '' ? [] : [[name, String(value)]],
    ),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isStringArray(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString)
}

function isNullish(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value)
}
