import { describe, expect, test } from 'vitest'
import type { Project } from '../../storage/projects.ts'
import { createRelayIdentity, makeRelayToken } from '../../testing/openRelayClient.ts'
import { testProject } from '../../testing/testProject.ts'
import { authorize, verifyEd25519, type Credentials } from './authorize.ts'

const identity = createRelayIdentity()
const url = 'wss://relay.example'
const nowSeconds = 1_800_000_000
const times = { iat: nowSeconds - 60, exp: nowSeconds + 3_600 }
/** The longest possible project id. */
const longId = 'p'.repeat(64)

const projects: Record<string, Project> = {
  default: testProject(),
  [longId]: testProject(),
  closed: testProject({ active: false }),
}

/** Authorizes a client of a relay with the URLs `relayUrls`. @returns the admission, or the name of the refusal. */
async function admit(
  credentials: Partial<Credentials> & { claims?: object } = {},
  relayUrls: string[] | null = [url],
) {
  const { claims, ...more } = credentials
  const outcome = await authorize(
    {
      config: { relayUrls: relayUrls ?? undefined } as Parameters<typeof authorize>[0]['config'],
      now: () => nowSeconds * 1000,
      projects: { get: async (id: string) => projects[id] },
    },
    {
      token: makeRelayToken(identity, url, { ...times, ...claims }),
      projectId: undefined,
      origin: undefined,
      host: undefined,
      ...more,
    },
  )
  return 'refusal' in outcome ? outcome.refusal : outcome
}
const admitted = (projectId = 'default') => ({ clientId: identity.clientId, projectId })

test.each<[string, Parameters<typeof admit>[0], projectId?: string]>([
  ['no project id', {}],
  ['an empty project id', { projectId: '' }],
  ['a project id of 64 characters', { projectId: longId }, longId],
  ['an origin that the project allows', { origin: 'https://app.example' }],
  ['the relay’s host as its origin', { origin: 'http://relay.example' }],
])('admits a client with %s', async (_, credentials, projectId) => {
  expect(await admit(credentials)).toEqual(admitted(projectId))
})

test.each<[string, Parameters<typeof admit>[0], refusal: string]>([
  ['an unknown project', { projectId: 'unknown' }, 'invalidKey'],
  ['an inactive project', { projectId: 'closed' }, 'invalidKey'],
  ['another origin', { origin: 'https://evil.example' }, 'originNotAllowed'],
  ['no token', { token: undefined }, 'jwtMissing'],
  ['an empty token', { token: '' }, 'jwtMissing'],
  ['an invalid token', { token: 'a.b.c' }, 'jwtInvalid'],
  ['a token for another relay', { claims: { aud: 'wss://other.example' } }, 'jwtAudience'],
  ['an expired token', { claims: { iat: 1, exp: 2 } }, 'jwtExpired'],
])('refuses a client with %s', async (_, credentials, refusal) => {
  expect(await admit(credentials)).toBe(refusal)
})

test('attack: a token that another key has signed is refused', async () => {
  const [header, payload] = makeRelayToken(identity, url, times).split('.')
  const signature = makeRelayToken(createRelayIdentity(), url, times).split('.')[2]
  const token = [header, payload, signature].join('.')
  expect(await admit({ token })).toBe('jwtInvalid')
})

test('a refusal names the reason that the client receives', async () => {
  const context = {
    config: {},
    now: Date.now,
    projects: { get: () => undefined },
  } as unknown as Parameters<typeof authorize>[0]
  const credentials = { token: '', projectId: '', origin: undefined, host: undefined }
  expect(await authorize(context, credentials)).toEqual({
    refusal: 'invalidKey',
    reason: 'Unauthorized: invalid key',
  })
})

test('error: a failure to verify a token is not a refusal', async () => {
  const context = {
    config: { relayUrls: [url] },
    now: () => {
      throw new Error('no clock')
    },
    projects: { get: async () => testProject() },
  } as unknown as Parameters<typeof authorize>[0]
  const credentials = { token: 'a.b.c', projectId: '', origin: undefined, host: undefined }
  await expect(authorize(context, credentials)).rejects.toThrow('no clock')
})

describe('without configured URLs', () => {
  test.each([
    ['a local host is an audience', '192.168.1.20:8080', admitted()],
    ['a public host is not an audience', 'relay.example', 'jwtAudience'],
    ['a missing host is not an audience', undefined, 'jwtAudience'],
  ])('%s', async (_, host, outcome) => {
    const aud = `ws://${host ?? 'undefined'}`
    expect(await admit({ host, claims: { aud } }, null)).toEqual(outcome)
  })
})

test('configured URLs replace a local host as the audience', async () => {
  const claims = { aud: 'ws://localhost' }
  expect(await admit({ host: 'localhost', claims })).toBe('jwtAudience')
})

/** @see RFC 8032, section 7.1, test 2 */
test('verifies Ed25519 signatures', () => {
  const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
  const publicKey = bytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')
  const signature = bytes(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  )
  expect(verifyEd25519(signature, bytes('72'), publicKey)).toBe(true)
  expect(verifyEd25519(signature, bytes('73'), publicKey)).toBe(false)
})
