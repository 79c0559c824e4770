import { ValidationError } from '../errors.ts'
import { familyOf } from '../namespaces.ts'
import type { AuthPayload } from '../Session.ts'
import type { AuthenticateParameters } from '../SignClient.ts'
import { isChainId } from '../validation/namespaces.ts'
import { isRecord, isText, toPlain } from '../validation/shapes.ts'
import { missingOrInvalid, inspect } from '../validation/messages.ts'
import { findInvalidField } from './fields.ts'
import { createRecap, decodeRecap, encodeRecap, findRecap, mergeRecaps } from './recap.ts'

type Input = Omit<AuthenticateParameters, 'signal'>

/**
 * Validates the parameters of `authenticate` and adds the payload to sign.
 *
 * @param now - Unix time in ms
 * @throws {ValidationError}
 */
export function readAuthenticate(
  parameters: AuthenticateParameters,
  now: number,
): Input & { authPayload: AuthPayload } {
  assertAuthenticate(parameters)
  const { signal: _signal, ...rest } = parameters
  const input = toPlain(rest, 'authenticate()')
  const authPayload = createAuthPayload(input, new Date(now).toISOString())
  const invalid = findInvalidField(authPayload)
  if (invalid) throw missingOrInvalid(`authenticate() ${invalid}: ${inspect(authPayload[invalid])}`)
  return { ...input, authPayload }
}

/** @see spec §5.12.4 */
function assertAuthenticate(parameters: AuthenticateParameters): void {
  if (!isRecord(parameters)) throw missingOrInvalid(`authenticate() params: ${inspect(parameters)}`)
  const { chains, uri, domain, nonce } = parameters as Record<string, unknown>
  if (!Array.isArray(chains) || chains.length === 0)
    throw new ValidationError('chains is required and must be a non-empty array')
  if (!isText(uri)) throw new ValidationError('uri is required parameter')
  if (!isText(domain)) throw new ValidationError('domain is required parameter')
  if (!isText(nonce)) throw new ValidationError('nonce is required parameter')
  const wrong = chains.find((chain) => !isChainId(chain))
  if (wrong !== undefined)
    throw missingOrInvalid(`authenticate() chain should be a CAIP-2 id: ${inspect(wrong)}`)
  if (new Set(chains.map(familyOf)).size > 1)
    throw new ValidationError(
      'Multi-namespace requests are not supported. Please request single namespace only.',
      'sign.unsupported',
    )
  if (familyOf(chains[0] as string) !== 'eip155')
    throw new ValidationError(
      'Only eip155 namespace is supported for authenticated sessions. Please use .connect() for non-eip155 chains.',
      'sign.unsupported',
    )
}

/**
 * The payload to sign. Methods become a ReCap, which must be the last resource.
 *
 * @param issuedAt - ISO 8601
 */
function createAuthPayload(input: Input, issuedAt: string): AuthPayload {
  const { chains, domain, uri, nonce, statement, exp, nbf, requestId } = input
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
    resources: withMethods(input.resources ?? [], input.methods ?? []),
  }
}

function withMethods(resources: readonly string[], methods: readonly string[]) {
  if (methods.length === 0) return [...resources]
  const recap = createRecap('eip155', methods)
  const existing = findRecap(resources)
  const added = decodeRecap(recap)
  return existing && added
    ? [...resources.slice(0, -1), encodeRecap(mergeRecaps(added, existing))]
    : [...resources, recap]
}
