import type { Feature } from './features.ts'
import { walletTextFields } from './walletTextFields.ts'
import type { WalletListing, WalletsQuery } from './wallets.ts'

// Checks for pages that match the schemas (`checks.test.ts` compares them). With the schemas themselves,
// the kit's gateway chunk would grow from 1.0 to 1.6 KB and import the 30 KB chunk that contains valibot.

/** Whether a value is valid under the schema `WalletListing`. */
export function isWalletListing(value: unknown): value is WalletListing {
  return (
    isRecord(value) &&
    isText(value['id']) &&
    isText(value['name']) &&
    walletTextFields.every((field) => isNullish(value[field], isText)) &&
    isNullish(value['chains'], isTexts) &&
    isNullish(value['order'], (order) => typeof order === 'number' && !Number.isNaN(order)) &&
    isNullish(value['injected'], (list) => Array.isArray(list) && list.every(isInjected))
  )
}

function isInjected(value: unknown): boolean {
  return (
    isRecord(value) &&
    isNullish(value['namespace'], isText) &&
    isNullish(value['injected_id'], isText)
  )
}

/** Whether a value is valid under the schema `Feature`. */
export function isFeature(value: unknown): value is Feature {
  return (
    isRecord(value) &&
    isText(value['id']) &&
    isNullish(value['isEnabled'], (state) => typeof state === 'boolean') &&
    isNullish(value['config'], isTexts)
  )
}

/** The description of the first reason in the body of an error, if it has the schema `Reasons`. */
export function firstReason(body: unknown): string | undefined {
  const reasons: unknown = isRecord(body) ? body['reasons'] : undefined
  const first: unknown = Array.isArray(reasons) ? reasons[0] : undefined
  return isRecord(first) && isText(first['description']) ? first['description'] : undefined
}

/** Formats the query of `GET /getWallets`, as its schema `WalletsQuery` reads it. */
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

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function isNullish(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value)
}
