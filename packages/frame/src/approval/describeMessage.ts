import { isSignInFor } from '@gatefold/protocol'
import { hexToBytes, type Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { approvalText } from '../strings/approval.ts'
import { frameText } from '../strings/frame.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import type { Statement } from './Statement.ts'
import { toText, withoutInvisible } from './text.ts'

/** The length up to which a message is parsed as a sign-in of the standard, which takes quadratic time. */
const maxParsedLength = 10_000

/**
 * Describes a message of `personal_sign` or `solana_signMessage`. A sign-in for another site is refused.
 *
 * @param options.origin - of the requesting page, as reported by the browser.
 * @see ERC-4361; docs/threats.md#false-statements-of-the-page
 */
export function describeMessage(options: {
  message: Hex
  origin: string
  language: Language
}): Statement {
  const t = translate({ ...frameText, ...approvalText }, options.language)
  const bytes = hexToBytes(options.message)
  const text = toText(bytes)
  const signIns = readSignIns(bytes, options.origin)
  const { host } = new URL(options.origin)
  const shown = text ?? options.message
  const foreign = signIns.find((signIn) => !isSignInFor(options.origin, signIn))
  if (foreign) {
    // If only the URI is of another site, the domain would not show the difference.
    const isOwnDomain = isSignInFor(options.origin, { ...foreign, uri: options.origin })
    const site = (isOwnDomain && foreign.uri) || foreign.domain
    return {
      heading: t('approval.signIn'),
      kind: 'signIn',
      sentence: t('approval.elsewhere'),
      level: 'refused',
      notes: [
        {
          level: 'refused',
          title: t('approval.blocked'),
          text: t('approval.elsewhereHint', { site: host, domain: site }),
        },
      ],
      movements: [],
      details: [
        [t('approval.askedBy'), host],
        [t('approval.signsInTo'), site],
      ],
      action: t('frame.close'),
    }
  }
  if (signIns.length > 0 && text !== undefined)
    return {
      heading: t('approval.signIn'),
      kind: 'signIn',
      sentence: t('approval.signInTo', { site: host }),
      level: 'plain',
      notes: [{ level: 'info', title: '', text: t('approval.movesNothing') }],
      movements: [],
      details: [],
      message: shown,
      action: t('approval.signIn'),
    }
  return {
    heading: t('approval.sign'),
    sentence: t('approval.message'),
    level: text === undefined ? 'warn' : 'plain',
    notes: [
      text === undefined
        ? {
            level: 'warn',
            title: t('approval.notText'),
            text: t('approval.notTextHint'),
          }
        : { level: 'info', title: '', text: t('approval.movesNothing') },
    ],
    movements: [],
    details: [],
    message: shown,
    action: t('approval.sign'),
  }
}

/**
 * The sign-ins that a site could find in a message, which may be less strict than the standard: it may ignore invisible
 * characters and bytes that are not UTF-8.
 */
function readSignIns(bytes: Uint8Array, origin: string): { domain: string; uri: string }[] {
  const text = new TextDecoder().decode(bytes)
  return [...new Set([text, withoutInvisible(text)])].flatMap((one) => {
    const { domain, uris } = readSignIn(one, origin) ?? { domain: '', uris: [] }
    return uris.map((uri) => ({ domain, uri }))
  })
}

/**
 * The domain and the URI of a sign-in message, or of a text that merely begins
 * like one: the site that verifies it may be less strict than the standard.
 */
function readSignIn(text: string, origin: string): { domain: string; uris: string[] } | undefined {
  const found = /^\s*(\S+) wants you to sign in with(?<solana> your Solana account:\n)?/iu.exec(
    text,
  )
  if (!found) return undefined
  const { domain, uri } = text.length > maxParsedLength ? {} : parseSiweMessage(text)
  if (domain !== undefined && uri !== undefined) return { domain, uris: [uri] }
  const [, first = ''] = found
  const uris = Array.from(text.matchAll(/^URI: (.*)$/gmu), ([, one = '']) => one)
  if (uris.length > 0) return { domain: first, uris }
  // In Solana's format the URI is optional. Without it, only the domain is
  // checked.
  return { domain: first, uris: found.groups?.['solana'] === undefined ? [''] : [origin] }
}
