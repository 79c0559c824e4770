import { limits } from '@gatefold/protocol'

/**
 * The name of a user as lists show it: the user name of a social login,
 * otherwise the e-mail address.
 *
 * @see spec §5.11.2
 */
export function nameOf(user: {
  email?: string | null | undefined
  userName?: string | null | undefined
}): string {
  const name = user.userName || user.email || ''
  return name.length > limits.loginNameLength ? `${name.slice(0, -3)}…` : name
}
