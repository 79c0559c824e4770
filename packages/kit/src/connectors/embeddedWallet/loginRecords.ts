import { limits } from '@gatefold/protocol'

import { defaultStorage } from '../../core/storage/storage.ts'

const prefix = '@appkit-wallet/'
/**
 * The keys in `localStorage`, the same as in the official client, which a site
 * may have used before. Not in the site's storage, because a cookie would send
 * the email address to the site's server. @see spec §3.17
 */
const keys = {
  used: `${prefix}EMAIL_LOGIN_USED_KEY`,
  email: `${prefix}EMAIL`,
  userName: `${prefix}SOCIAL_USERNAME`,
  chainId: `${prefix}LAST_USED_CHAIN_KEY`,
  requestedAt: `${prefix}LAST_EMAIL_LOGIN_TIME`,
} as const

const smartAccountNetworksKey = `${prefix}SMART_ACCOUNT_ENABLED_NETWORKS`

/** The key of the login method. The official client does not store it. */
const methodKey = '@gatefold/login-method'

/** How a visitor logged in; any other text is the name of a social provider. */
export type LoginMethod = 'email' | 'passkey' | (string & {})

/**
 * The stored part of a login: the user, for a page that has not loaded the
 * frame yet.
 */
export type Login = {
  email?: string | null | undefined
  userName?: string | null | undefined
  /** How the visitor logged in, if it is known. */
  method?: LoginMethod | undefined
  /** The reference of the chain's CAIP-2 id. */
  chainId: string
}

/** Whether the visitor logged in before. @see spec §4.11.2 */
export function wasLoginUsed(): boolean {
  return read(keys.used) === 'true'
}

/** How the visitor logged in; undefined after a login with an official client. */
export function loginMethod(): LoginMethod | undefined {
  return read(methodKey) ?? undefined
}

/** Stores a login. @see spec §4.13.3 */
export function saveLogin(login: Login): void {
  write(keys.used, 'true')
  write(keys.email, login.email)
  write(keys.userName, login.userName)
  write(keys.chainId, login.chainId)
  write(keys.requestedAt, undefined)
  write(methodKey, login.method)
}

/** Stores the reference of each EVM chain with smart accounts; a sign-out keeps it. @see spec §3.17 */
export function saveSmartAccountNetworks(chainIds: readonly number[]): void {
  write(smartAccountNetworksKey, chainIds.join(','))
}

/** Removes a login. @see spec §4.13.1–2 */
export function clearLogin(): void {
  for (const key of [...Object.values(keys), methodKey]) write(key, undefined)
}

/** Starts the waiting time until another code can be requested. */
export function startCooldown(): void {
  write(keys.requestedAt, String(Date.now()))
}

/** Time until another code can be requested, in s. @see spec §5.11.1, §9.8.1 */
export function cooldownSeconds(): number {
  const since = Date.now() - Number(read(keys.requestedAt) ?? 0)
  // Setting back the clock must not extend the waiting time.
  return since < 0 ? 0 : Math.max(0, Math.ceil(limits.codeResendSeconds - since / 1_000))
}

function read(key: string): string | null {
  try {
    return defaultStorage().getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | null | undefined): void {
  try {
    if (value) defaultStorage().setItem(key, value)
    else defaultStorage().removeItem(key)
  } catch {
    // The storage is full or blocked: the visitor logs in again on the next visit.
  }
}
