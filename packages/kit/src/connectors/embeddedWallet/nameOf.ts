import { limits } from '@gatefold/protocol'

import type { LoginMethod } from './loginRecords.ts'

/**
 * The name of a user as lists show it: the user name of a social login,
 * otherwise the email address.
 *
 * The 0 that a user name of Discord can end with is dropped.
 *
 * @see spec §5.11.2–3
 */
export function nameOf(user: {
  email?: string | null | undefined
  userName?: string | null | undefined
  method?: LoginMethod | undefined
}): string {
  const full = user.userName || user.email || ''
  const name = user.method === 'discord' && full.endsWith('0') ? full.slice(0, -1) : full
  return name.length > limits.loginNameLength ? `${name.slice(0, -3)}…` : name
}
