import { isSignInFor } from '@gatefold/protocol'
import { hexToBytes, type Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import type { Statement } from './Statement.ts'
import { toText } from './text.ts'

/**
 * Describes a message of `personal_sign` or `solana_signMessage`. A sign-in for another site is refused.
 *
 * @param options.origin - of the page that asks, from the browser.
 * @see ERC-4361; docs/threats.md#false-statements-of-the-page
 */
export function describeMessage(options: { message: Hex; origin: string }): Statement {
  const bytes = hexToBytes(options.message)
  const text = toText(bytes)
  const signIn = text === undefined ? undefined : readSignIn(text, options.origin)
  const { host } = new URL(options.origin)
  const shown = text ?? options.message
  if (signIn && !signIn.uris.every((uri) => isSignInFor(options.origin, { ...signIn, uri })))
    return {
      heading: 'Sign',
      sentence: 'This would sign you in elsewhere',
      level: 'refused',
      notes: [
        {
          level: 'refused',
          title: 'Blocked',
          text: `${host} asks you to sign in to ${signIn.domain}. That is how accounts are stolen.`,
        },
      ],
      movements: [],
      details: [
        ['Asked by', host],
        ['Signs in to', signIn.domain],
      ],
      action: 'Close',
    }
  if (signIn)
    return {
      heading: 'Sign in',
      sentence: `Sign in to ${host}`,
      level: 'plain',
      notes: [{ level: 'info', title: '', text: 'It moves nothing and costs nothing.' }],
      movements: [],
      details: [],
      message: shown,
      action: 'Sign in',
    }
  return {
    heading: 'Sign',
    sentence: 'Sign a message',
    level: text === undefined ? 'warn' : 'plain',
    notes: [
      text === undefined
        ? {
            level: 'warn',
            title: 'Not a text',
            text: 'This message cannot be read. Sign it only if you know what it is for.',
          }
        : { level: 'info', title: '', text: 'It moves nothing and costs nothing.' },
    ],
    movements: [],
    details: [],
    message: shown,
    action: 'Sign',
  }
}

/**
 * The domain and the URI of a sign-in message. Also of a text that only begins like one, because a site that accepts it
 * may be less strict than the standard.
 */
function readSignIn(text: string, origin: string): { domain: string; uris: string[] } | undefined {
  const { domain, uri } = parseSiweMessage(text)
  if (domain !== undefined && uri !== undefined) return { domain, uris: [uri] }
  const found = /^\s*(\S+) wants you to sign in with(?<solana> your Solana account:\n)?/iu.exec(
    text,
  )
  if (!found) return undefined
  const [, first = ''] = found
  const uris = Array.from(text.matchAll(/^URI: (.*)$/gmu), ([, one = '']) => one)
  if (uris.length > 0) return { domain: first, uris }
  // Solana's form has no URI if the site gives none; the domain alone then decides.
  return { domain: first, uris: found.groups?.['solana'] === undefined ? [''] : [origin] }
}
