import { CaipAddress, splitDidPkh } from '@gatefold/protocol'
import type { AuthPayload, Cacao } from '../Session.ts'
import { findRecap, formatRecapStatement } from './recap.ts'

/**
 * The text to sign for one account (CAIP-122, ERC-4361).
 *
 * @param payload - from a request or a CACAO
 * @param iss - a CAIP-10 account, with or without `did:pkh:`
 * @see https://chainagnostic.org/CAIPs/caip-122
 */
export function formatAuthMessage(payload: AuthPayload | Cacao['p'], iss: string): string {
  const { address, reference } = splitDidPkh(iss) ?? CaipAddress.split(iss) ?? {}
  const recap = findRecap(payload.resources)
  const statement = recap
    ? formatRecapStatement(payload.statement, recap)
    : payload.statement || undefined
  return [
    `${payload.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${payload.aud}`,
    `Version: ${payload.version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${payload.nonce}`,
    `Issued At: ${payload.iat}`,
    payload.exp ? `Expiration Time: ${payload.exp}` : undefined,
    payload.nbf ? `Not Before: ${payload.nbf}` : undefined,
    payload.requestId ? `Request ID: ${payload.requestId}` : undefined,
    payload.resources && ['Resources:', ...payload.resources.map((it) => `- ${it}`)].join('\n'),
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}
