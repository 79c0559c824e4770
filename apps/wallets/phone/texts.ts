import { BaseError } from '@gatefold/protocol'
import type { PendingRequest } from '../src/provider/createApprovals.ts'
import type { RequestingApp } from '../src/provider/RequestDetails.ts'

/** The text shown for an error: what happened, then what to do. */
export function explainError(error: unknown): string {
  const { code } = error as { code?: unknown }
  const known = typeof code === 'string' ? sentences[code] : undefined
  if (known) return known
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}

const sentences: Record<string, string> = {
  'sign.invalid_uri': 'This isn’t a WalletConnect link. Copy the whole link from the app.',
  'sign.missing_or_invalid':
    'This link is damaged. Copy the whole link from the app and try again.',
  'phone.code_expired': 'This QR code or link has expired. Create a new one in the app.',
  'sign.expired': 'The request timed out. Start it again from the app.',
  'sign.pairing_exists': 'This QR code or link was already used. Create a new one in the app.',
  'sign.relay': 'Couldn’t reach the relay. Your answer is saved and will be sent once it’s back.',
  'sign.non_conforming_namespaces':
    'The app requires a network or method that this wallet doesn’t support, so the request was rejected.',
}

/** What an app may do with the granted methods. */
export function permissionsOf(
  methods: readonly string[],
): { icon: 'eye' | 'pen' | 'send' | 'hex'; text: string }[] {
  const has = (...names: string[]) => names.some((name) => methods.includes(name))
  const signs = has('personal_sign', 'eth_signTypedData_v4', 'eth_signTransaction')
  const sends = has('eth_sendTransaction', 'wallet_sendCalls')
  const moves = has('wallet_switchEthereumChain', 'wallet_addEthereumChain')
  return [
    { icon: 'eye', text: 'See your accounts and balances' },
    ...(signs ? [{ icon: 'pen', text: 'Request signatures' } as const] : []),
    ...(sends ? [{ icon: 'send', text: 'Request transactions' } as const] : []),
    ...(moves ? [{ icon: 'hex', text: 'Request network changes' } as const] : []),
  ]
}

/** The host of a URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The text for the verify service's result. */
export function trustText(app: RequestingApp): { tag: string; title: string; text: string } {
  const claimed = hostOf(app.url) || 'its website'
  switch (app.trust) {
    case 'verified':
      return {
        tag: 'Verified',
        title: 'Domain verified',
        text: `This request comes from ${claimed}.`,
      }
    case 'mismatch':
      return {
        tag: 'Mismatch',
        title: 'Domain mismatch',
        text: `The app claims to be ${claimed}, but the request comes from ${hostOf(app.attestedOrigin ?? '') || 'another site'}.`,
      }
    case 'scam':
      return {
        tag: 'Reported',
        title: 'Reported as a scam',
        text: `${hostOf(app.attestedOrigin ?? '') || claimed} was reported for stealing funds. Don’t connect to it.`,
      }
    case 'unverified':
      return {
        tag: 'Not verified',
        title: 'Can’t verify this domain',
        text: `Check that ${claimed} matches the address in your browser.`,
      }
  }
}

/** The toast after an approval. It does not say that a transaction succeeded, because it may still fail. */
export function approvedText({ details, app }: PendingRequest): string {
  const hint = app ? ` Return to ${app.name}.` : ''
  switch (details?.kind) {
    case 'session':
      return `Connected.${hint}`
    case 'signIn':
      return `Signed in.${hint}`
    case 'message':
    case 'typedData':
      return `Signed.${hint}`
    default:
      return `Approved.${hint}`
  }
}

/** Formats a date. @param seconds - Unix time in seconds */
export function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(seconds * 1000)
}
