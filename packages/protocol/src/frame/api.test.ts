import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as api from './api.ts'

const id = 'a'.repeat(22)
const page = { projectId: 'p', origin: 'https://page.example' }
const address = `0x${'aB'.repeat(20)}`
const passwordWrap = {
  method: 'password',
  createdAt: 1,
  salt: 'a',
  memoryKib: 65_536,
  passes: 3,
  lanes: 4,
  wrapped: 'a',
}
const passkeyWrap = {
  method: 'passkey',
  name: 'My phone',
  createdAt: 1,
  credentialId: 'a',
  wrapped: 'a',
}
const signed = { id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {} }
const assertion = {
  clientDataJSON: 'a',
  authenticatorData: 'a',
  signature: 'a',
  userHandle: 'a',
}
const attestation = { clientDataJSON: 'a', attestationObject: 'a' }
const stage = {
  setId: id,
  epoch: 1,
  eip155: address,
  solana: '1'.repeat(32),
  smartAccount: { kind: 'safe-1.4.1', owner: address },
  signature: `0x${'aB'.repeat(65)}`,
  authShare: 'a',
  recoveryShare: 'a',
  recoveryPublicKey: 'a'.repeat(87),
  recoveryId: id,
  wraps: [passwordWrap, passkeyWrap],
  version: 1,
  methodsSignature: `0x${'aB'.repeat(65)}`,
  recoveryKey: 'a',
}

/** Each row has a body with all of its members, and the names of the optional ones. */
const bodies: [name: string, schema: v.GenericSchema, body: object, optional?: string[]][] = [
  ['EmailLoginBody', api.EmailLoginBody, { ...page, email: 'a@b.example' }, ['projectId']],
  ['DeviceLoginBody', api.DeviceLoginBody, { loginId: id }],
  ['VerifyLoginBody', api.VerifyLoginBody, { loginId: id, code: '123456' }],
  [
    'SocialLoginBody',
    api.SocialLoginBody,
    { ...page, provider: 'google', challenge: 'a'.repeat(43) },
    ['projectId'],
  ],
  [
    'FinishSocialBody',
    api.FinishSocialBody,
    { ...page, uri: 'u', verifier: 'a'.repeat(43) },
    ['projectId'],
  ],
  ['FarcasterLoginBody', api.FarcasterLoginBody, page, ['projectId']],
  ['FinishFarcasterBody', api.FinishFarcasterBody, { ...page, loginId: id }, ['projectId']],
  ['RefreshBody', api.RefreshBody, { refreshToken: id }],
  ['KeyWrap of a password', api.KeyWrap, passwordWrap, ['publicKey']],
  ['KeyWrap of a passkey', api.KeyWrap, passkeyWrap, ['publicKey']],
  [
    'StageBody',
    api.StageBody,
    stage,
    ['recoveryId', 'wraps', 'version', 'methodsSignature', 'recoveryKey'],
  ],
  ['SetBody', api.SetBody, { setId: id }],
  ['RecoveryBody', api.RecoveryBody, { skip: [id] }, ['skip']],
  ['EmailChangeBody', api.EmailChangeBody, { ...page, email: 'a@b.example' }, ['projectId']],
  ['EmailChangeCodeBody', api.EmailChangeCodeBody, { changeId: id, code: '123456' }],
  ['RevokeDeviceBody', api.RevokeDeviceBody, { deviceId: id }],
  [
    'ExportedBody',
    api.ExportedBody,
    { form: 'backup', confirmId: id, code: '123456' },
    ['confirmId', 'code'],
  ],
  ['EndSessionBody', api.EndSessionBody, { everywhere: true }, ['everywhere']],
  ['HandoverBody', api.HandoverBody, { publicKey: 'a'.repeat(87) }],
  ['HandoverTokenBody', api.HandoverTokenBody, { token: id }],
  ['HandoverPutBody', api.HandoverPutBody, { token: id, sealed: 'a' }],
  ['HandoverTakeBody', api.HandoverTakeBody, { handoverId: id }],
  ['PasskeyChallengeBody', api.PasskeyChallengeBody, page, ['projectId']],
  [
    'PasskeyLoginBody of a login',
    api.PasskeyLoginBody,
    { ...page, passkey: { ...signed, response: assertion } },
    ['projectId'],
  ],
  [
    'PasskeyLoginBody of a new wallet',
    api.PasskeyLoginBody,
    { ...page, passkey: { ...signed, response: attestation } },
    ['projectId'],
  ],
]

const times = (count: number, value: unknown) => Array.from({ length: count }, () => value)
const accepts = (schema: v.GenericSchema, value: unknown) => v.is(schema, value)

test.each(bodies)('%s is read with all of its members', (_name, schema, body, optional = []) => {
  expect(v.parse(schema, body)).toEqual(body)
  expect(v.parse(schema, { ...body, other: 1 })).toEqual(body)
  for (const member of Object.keys(body)) {
    const { [member as keyof typeof body]: _, ...rest } = body
    expect([member, accepts(schema, rest)]).toEqual([member, optional.includes(member)])
    expect([member, accepts(schema, { ...body, [member]: Symbol('other') })]).toEqual([
      member,
      false,
    ])
  }
})

test('missing optional members have their defaults', () => {
  expect(v.parse(api.RecoveryBody, {})).toEqual({ skip: [] })
  expect(v.parse(api.EndSessionBody, {})).toEqual({ everywhere: false })
  const { version: _, ...rest } = stage
  expect(v.parse(api.StageBody, rest)).toMatchObject({ version: 0 })
})

test('the members of a smart account and of a passkey are required', () => {
  for (const smartAccount of [
    { kind: 'safe-1.4.1' },
    { owner: address },
    { kind: 'safe-1.5.0', owner: address },
  ])
    expect(accepts(api.StageBody, { ...stage, smartAccount })).toBe(false)
  const { PasskeyLoginBody } = api
  for (const response of [assertion, attestation])
    for (const member of Object.keys(response)) {
      const { [member as 'clientDataJSON']: _, ...rest } = response
      const body = { ...page, passkey: { ...signed, response: rest } }
      expect([member, accepts(PasskeyLoginBody, body)]).toEqual([member, member === 'userHandle'])
    }
  for (const member of Object.keys(signed)) {
    const { [member as 'id']: _, ...rest } = signed
    const body = { ...page, passkey: { ...rest, response: assertion } }
    expect([member, accepts(PasskeyLoginBody, body)]).toEqual([member, false])
  }
})

test('attack: the results of extensions, such as the key of a passkey, are not sent to the server', () => {
  for (const response of [assertion, attestation]) {
    const passkey = { ...signed, clientExtensionResults: { prf: { results: {} } }, response }
    expect(accepts(api.PasskeyLoginBody, { ...page, passkey })).toBe(false)
  }
})

describe('a value of the member', () => {
  const of = (schema: v.GenericSchema, body: object, member: string) => (value: unknown) =>
    v.safeParse(schema, { ...body, [member]: value })
  const [email, origin, project] = ['email', 'origin', 'projectId'].map((member) =>
    of(api.EmailLoginBody, { ...page, email: 'a@b.example' }, member),
  )
  const loginId = of(api.DeviceLoginBody, {}, 'loginId')
  const code = of(api.VerifyLoginBody, { loginId: id }, 'code')
  const [eip155, solana, signature, share, epoch, version, key, wraps] = [
    'eip155',
    'solana',
    'signature',
    'authShare',
    'epoch',
    'version',
    'recoveryKey',
    'wraps',
  ].map((member) => of(api.StageBody, stage, member))
  const challenge = of(api.SocialLoginBody, { ...page, provider: 'x', challenge: '' }, 'challenge')
  const verifier = of(api.FinishSocialBody, { ...page, uri: 'u' }, 'verifier')
  const uri = of(api.FinishSocialBody, { ...page, verifier: 'a'.repeat(43) }, 'uri')
  const publicKey = of(api.HandoverBody, {}, 'publicKey')
  const [memory, passes, lanes, created] = ['memoryKib', 'passes', 'lanes', 'createdAt'].map(
    (member) => of(api.KeyWrap, passwordWrap, member),
  )
  const name = of(api.KeyWrap, passkeyWrap, 'name')
  const [skip, form] = [of(api.RecoveryBody, {}, 'skip'), of(api.ExportedBody, {}, 'form')]
  const text = (length: number) => 'a'.repeat(length)
  const base64 = 'must be base64url without padding'

  test.each<[string, typeof code | undefined, unknown[], [value: unknown, message?: string][]]>([
    [
      'id',
      loginId,
      [id, `${id}_-9Z`, text(64)],
      [
        [text(21), 'must have at least 128 bits'],
        [text(65)],
        [`${id}=`, base64],
        [` ${id}`, base64],
        [`${id}+`, base64],
        ['', 'must not be empty'],
        [1, 'must be text'],
      ],
    ],
    [
      'code',
      code,
      ['000000', '123456'],
      [
        ['12345', 'must be six digits'],
        ['1234567', 'must be six digits'],
        ['12345a', 'must be six digits'],
        ['123456\n', 'must be six digits'],
        [123_456, 'must be text'],
      ],
    ],
    ['project', project, [text(64), undefined], [[text(65)], [1]]],
    [
      'origin',
      origin,
      [
        'https://page.example',
        'http://localhost:3000',
        'capacitor://localhost',
        'chrome-extension://abc_d',
        'http://[::1]:65535',
        'https://[2001:db8::1]',
        'http://[::ffff:1.2.3.4]',
      ],
      [
        'page.example',
        'https://page.example/',
        'https://page.example:123456',
        'https://page.example:',
        'https://a b',
        'HTTPS://page.example',
        '1http://a',
        'https://',
        ' https://page.example',
        'https://page.example\n',
        'x http://[::1]',
        'http://[::1]/',
        'http://[]',
        'ftp://[::1]',
        'http://[::1]:123456',
        'http://[page]',
        `https://${text(300)}`,
      ].map((value) => (value.length > 300 ? [value] : [value, 'must be an origin'])),
    ],
    [
      'eip155',
      eip155,
      [address],
      [address.slice(2), `${address}0`, `x${address}`, `0x${'g'.repeat(40)}`].map((value) => [
        value,
        'must be an address',
      ]),
    ],
    [
      'solana',
      solana,
      ['1'.repeat(32), 'zZ9'.repeat(14)],
      ['1'.repeat(31), '1'.repeat(45), '0'.repeat(32), `${'1'.repeat(44)}\n`].map((value) => [
        value,
        'must be an address',
      ]),
    ],
    [
      'signature',
      signature,
      [stage.signature],
      [
        [stage.signature.slice(2), 'must be 65 bytes in hexadecimal'],
        [`${stage.signature}0`, 'must be 65 bytes in hexadecimal'],
        [`x${stage.signature}`, 'must be 65 bytes in hexadecimal'],
      ],
    ],
    ['share', share, [text(200)], [[text(201)], ['']]],
    ['epoch', epoch, [1, 2], [[0], [1.5], ['1']]],
    ['version', version, [0, 1, undefined], [[-1], [0.5]]],
    ['recovery key', key, [text(43), undefined], [[text(44)]]],
    [
      'list of methods',
      wraps,
      [[], times(10, passwordWrap), undefined],
      [[times(11, passwordWrap)], [[{ ...passwordWrap, method: 'other' }]]],
    ],
    ['challenge', challenge, [text(43)], [[text(42), 'must be a SHA-256'], [text(44)]]],
    [
      'verifier',
      verifier,
      [text(43), text(128)],
      [[text(42), 'must have at least 256 bits'], [text(129)]],
    ],
    ['uri', uri, [text(8_000)], [[text(8_001)], ['']]],
    ['public key', publicKey, [text(87)], [[text(86)], [text(88)]]],
    ['memory', memory, [65_536, 1_048_576], [[65_535], [1_048_577], [65_536.5]]],
    ['passes', passes, [3, 20], [[2], [21], [3.5]]],
    ['lanes', lanes, [1, 4], [[0], [5], [1.5]]],
    ['time', created, [0, 1_800_000_000_000], [[0.5], [2 ** 53]]],
    ['name', name, [text(100), 'My phone'], [[text(101)], ['']]],
    ['list to skip', skip, [[], times(10, id)], [[times(11, id)], [['a']]]],
    ['form', form, ['phrase', 'backup'], [['text']]],
  ])('%s', (_name, read, right, wrong) => {
    for (const value of right) expect([value, read!(value).success]).toEqual([value, true])
    for (const [value, message] of wrong) {
      const problems = read!(value).issues?.map((issue) => issue.message) ?? []
      expect([value, problems.length > 0]).toEqual([value, true])
      expect(problems).toContain(message ?? problems[0])
    }
  })

  test('§5.10.1 an email address is trimmed and in lower case', () => {
    expect(email!(' Ada@B.Example ')).toMatchObject({ output: { email: 'ada@b.example' } })
    for (const wrong of ['ada', 'ada@', '@b.example', `${text(250)}@b.example`])
      expect(email!(wrong).issues?.[0]?.message).toBe('Invalid email')
    expect(email!(undefined).success).toBe(false)
    expect(email!(1).issues?.[0]?.message).toBe('Required')
  })
})

test('the methods of recovery', () => {
  expect(api.recoveryMethods).toEqual(['automatic', 'passkey', 'password'])
})
