import type { AuthPayload, Cacao } from '../Session.ts'
import type { AuthenticateParameters } from '../SignClient.ts'
import {
  createRecap,
  decodeRecap,
  encodeRecap,
  findRecap,
  formatRecapStatement,
  mergeRecaps,
} from './recap.ts'

/**
 * The fields an app asks to be signed. Methods become a ReCap, which stands last among the resources.
 *
 * @param issuedAt - ISO 8601
 */
export function createAuthPayload(
  asked: Omit<AuthenticateParameters, 'signal'>,
  issuedAt: string,
): AuthPayload {
  const { chains, domain, uri, nonce, statement, exp, nbf, requestId } = asked
  return {
    type: 'caip122',
    chains,
    statement: statement ?? '',
    aud: uri,
    domain,
    version: '1',
    nonce,
    iat: issuedAt,
    ...(exp !== undefined && { exp }),
    ...(nbf !== undefined && { nbf }),
    ...(requestId !== undefined && { requestId }),
    resources: withMethods(asked.resources ?? [], asked.methods ?? []),
  }
}

function withMethods(resources: readonly string[], methods: readonly string[]) {
  if (methods.length === 0) return [...resources]
  const recap = createRecap('eip155', methods)
  const existing = findRecap(resources)
  const asked = decodeRecap(recap)
  return existing && asked
    ? [...resources.slice(0, -1), encodeRecap(mergeRecaps(asked, existing))]
    : [...resources, recap]
}

/**
 * The text that is signed for one account, as CAIP-122 and ERC-4361 have it.
 *
 * @param payload - of a request, or of a CACAO
 * @param iss - `did:pkh:` and a CAIP-10 account
 * @see https://chainagnostic.org/CAIPs/caip-122
 */
export function formatAuthMessage(payload: AuthPayload | Cacao['p'], iss: string): string {
  const [address, chain] = iss.split(':').toReversed()
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
    `Chain ID: ${chain}`,
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
