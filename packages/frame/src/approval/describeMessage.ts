import { isSignInFor } from '@gatefold/protocol'
import { hexToBytes, type Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import type { Statement } from './Statement.ts'

/**
 * Describes a message that `personal_sign` signs. A sign-in for another site is refused.
 *
 * @param options.origin - of the page that asks, from the browser.
 * @see ERC-4361; docs/threats.md#false-statements-of-the-page
 */
export function describeMessage(options: { message: Hex; origin: string }): Statement {
  const bytes = hexToBytes(options.message)
  const text = toText(bytes)
  const signIn = text === undefined ? undefined : readSignIn(text)
  const { host } = new URL(options.origin)
  const shown = text ?? options.message
  if (signIn && !isSignInFor(options.origin, signIn))
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

/** The text of bytes; `undefined` if they are not UTF-8, or contain control characters. */
function toText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Also characters that change the direction of text or are invisible, with which a text can look like another.
    return /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/u.test(text.replaceAll(/[\n\r\t]/g, ''))
      ? undefined
      : text
  } catch {
    return undefined
  }
}

/**
 * The domain and the URI of a sign-in message. Also of a text that only begins like one, because a site that accepts it
 * may be less strict than the standard.
 */
function readSignIn(text: string): { domain: string; uri: string } | undefined {
  const { domain, uri } = parseSiweMessage(text)
  if (domain !== undefined && uri !== undefined) return { domain, uri }
  const first = /^\s*(\S+) wants you to sign in with/iu.exec(text)?.[1]
  return first === undefined ? undefined : { domain: first, uri: '' }
}
