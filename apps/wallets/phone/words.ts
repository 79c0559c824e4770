import { BaseError } from '@gatefold/protocol'
import type { PendingRequest } from '../src/provider/createApprovals.ts'
import type { AskingApp } from '../src/provider/Subject.ts'

/** An error as a person reads it: what happened, then what to do. */
export function explain(error: unknown): string {
  const { code } = error as { code?: unknown }
  const known = typeof code === 'string' ? sentences[code] : undefined
  if (known) return known
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}

const sentences: Record<string, string> = {
  'sign.invalid_uri': 'This is no link to connect with. Copy the whole link that the app shows.',
  'sign.missing_or_invalid':
    'This link is damaged. Copy the whole link that the app shows, and try again.',
  'phone.code_expired': 'This code is too old. Make a fresh one in the app, and scan that.',
  'sign.expired': 'That took too long, and the app waits no more. Ask for it there once again.',
  'sign.pairing_exists': 'This code was used already. Make a fresh one in the app.',
  'sign.relay': 'The relay does not answer. Your answer is kept until it does.',
  'sign.non_conforming_namespaces':
    'The app needs a network or a method that this wallet does not have. It was told so.',
}

/** What an app may do with a session, by the methods it was given; in the order people care. */
export function abilities(
  methods: readonly string[],
): { icon: 'eye' | 'pen' | 'send' | 'hex'; text: string }[] {
  const has = (...names: string[]) => names.some((name) => methods.includes(name))
  const signs = has('personal_sign', 'eth_signTypedData_v4', 'eth_signTransaction')
  const sends = has('eth_sendTransaction', 'wallet_sendCalls')
  const moves = has('wallet_switchEthereumChain', 'wallet_addEthereumChain')
  return [
    { icon: 'eye', text: 'See your accounts and what they hold' },
    ...(signs ? [{ icon: 'pen', text: 'Ask you to sign' } as const] : []),
    ...(sends ? [{ icon: 'send', text: 'Ask you to send coins and tokens' } as const] : []),
    ...(moves ? [{ icon: 'hex', text: 'Ask you to switch or add a network' } as const] : []),
  ]
}

/** A page's address without what every address has. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** What the verify service found, in a sentence. */
export function trustWords(app: AskingApp): { tag: string; title: string; text: string } {
  const claimed = hostOf(app.url) || 'the site it names'
  switch (app.trust) {
    case 'verified':
      return {
        tag: 'Verified',
        title: `Really ${claimed}`,
        text: 'The verify service saw this page ask.',
      }
    case 'mismatch':
      return {
        tag: 'Mismatch',
        title: 'Not the site it claims to be',
        text: `It says ${claimed}, but ${hostOf(app.seenAt ?? '') || 'another page'} asks.`,
      }
    case 'scam':
      return {
        tag: 'Reported',
        title: 'Known to steal',
        text: `${hostOf(app.seenAt ?? '') || claimed} was reported for taking people’s coins. Leave it alone.`,
      }
    case 'unverified':
      return {
        tag: 'Not verified',
        title: 'Nobody checked who asks',
        text: `Compare ${claimed} with the address in your browser.`,
      }
  }
}

/** What is said when a question was answered with yes; of a chain's part in it nothing is known yet. */
export function doneWords({ subject, app }: PendingRequest): string {
  const back = app ? ` Go back to ${app.name}.` : ''
  switch (subject?.kind) {
    case 'session':
      return `Connected.${back}`
    case 'signIn':
      return `Signed in.${back}`
    case 'message':
    case 'typedData':
      return `Signed.${back}`
    default:
      return `Approved.${back}`
  }
}

/** A day as people write it. @param seconds - Unix time */
export function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(seconds * 1000)
}
