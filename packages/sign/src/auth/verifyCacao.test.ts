import * as AbiParameters from 'ox/AbiParameters'
import * as Address from 'ox/Address'
import { SignatureErc6492 } from 'ox/erc6492'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { expect, test } from 'vitest'
import type { AuthPayload, Cacao } from '../Session.ts'
import type { SignClientOptions } from '../SignClient.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { formatAuthMessage } from './message.ts'
import { encodeRecap } from './recap.ts'
import { verifyCacao } from './verifyCacao.ts'

const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const signer = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }))
const contract = `0x${'Ab'.repeat(20)}`
const requested: AuthPayload = {
  type: 'caip122',
  version: '1',
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'f0e1d2c3',
  iat: '2026-01-01T00:00:00Z',
  // Not only ASCII, because the signed length is in bytes, not in characters.
  statement: 'Willkommen, schöner Gruß.',
}
const start = Date.parse(requested.iat)

type EthCall = NonNullable<SignClientOptions['ethCall']>

/** Creates an account's authorization. `s` replaces the signature. */
function authorize(account = `eip155:1:${signer}`, s?: string, resources?: string[]) {
  const { type: _type, chains: _chains, ...fields } = requested
  const p = { ...fields, iss: `did:pkh:${account}`, ...(resources && { resources }) }
  const payload = PersonalMessage.getSignPayload(Hex.fromString(formatAuthMessage(p, p.iss)))
  const signature = s ?? Signature.toHex(Secp256k1.sign({ payload, privateKey }))
  const cacao: Cacao = { h: { t: 'caip122' }, p, s: { t: 'eip191', s: signature } }
  return { cacao, payload, request: { ...requested, resources } }
}

function verify({ cacao, request }: ReturnType<typeof authorize>, ethCall?: EthCall) {
  return verifyCacao(cacao, { requested: request, clock: createManualClock(start), ethCall })
}

/** A node that approves every signature. */
function approvingNode() {
  const calls: Parameters<EthCall>[0][] = []
  const ethCall: EthCall = async (call) => {
    calls.push(call)
    return '0x01'
  }
  return { calls, ethCall }
}

test('§4.18.1 an account’s signature is verified without a call', async () => {
  const { calls, ethCall } = approvingNode()
  expect(await verify(authorize(), ethCall)).toBe(true)
  expect(await verify(authorize(`eip155:1:${signer.toLowerCase()}`))).toBe(true)
  expect(calls).toEqual([])
})

test('§4.18.1 attack: a signature is invalid for another account or text, or if it is altered', async () => {
  const { s } = authorize().cacao.s
  expect(await verify(authorize(`eip155:1:${contract}`))).toBe(false)
  expect(await verify(authorize(`eip155:10:${signer}`, s))).toBe(false)
  expect(await verify(authorize(undefined, `${s}00`))).toBe(false)
  expect(await verify(authorize(undefined, s.slice(0, -2)))).toBe(false)
  expect(await verify(authorize(undefined, `0x${'ff'.repeat(65)}`))).toBe(false)
  expect(await verify(authorize(undefined, ''))).toBe(false)
})

test('§4.18.1 attack: a valid signature is rejected if the terms differ from the request', async () => {
  const { calls, ethCall } = approvingNode()
  const signed = authorize()
  const request = { ...signed.request, nonce: 'another' }
  expect(await verify({ ...signed, request }, ethCall)).toBe(false)
  expect(calls).toEqual([])
})

test.each([
  ['a Solana address', 'eip155:1:S0lanaAddre55'],
  ['one digit more', `eip155:1:${contract}0`],
  ['text before the address', `eip155:1:x${contract}`],
  ['one digit less', `eip155:1:${contract.slice(0, -1)}`],
])('§4.18.1 error: no call is made for an invalid address (%s)', async (_what, account) => {
  const { calls, ethCall } = approvingNode()
  expect(await verify(authorize(account, '0x1234'), ethCall)).toBe(false)
  expect(calls).toEqual([])
})

test('§4.18.1 a contract’s signature is checked on each granted chain, with limited gas', async () => {
  const { calls, ethCall } = approvingNode()
  const chains = ['eip155:10', 'eip155:1']
  const recap = encodeRecap({ att: { eip155: { 'request/personal_sign': [{ chains }] } } })
  const authorization = authorize(`eip155:1:${contract}`, '0x1234', [recap])
  expect(await verify(authorization, ethCall)).toBe(true)
  expect(calls.map(({ chainId, gas }) => [chainId, Number(gas)])).toEqual([
    ['eip155:1', 10_000_000],
    ['eip155:10', 10_000_000],
  ])
  const validator = SignatureErc6492.universalSignatureValidatorBytecode
  for (const { data } of calls) {
    expect(data.startsWith(validator)).toBe(true)
    expect(
      AbiParameters.decode(
        AbiParameters.from('address, bytes32, bytes'),
        `0x${data.slice(validator.length)}`,
        { checksumAddress: false },
      ),
    ).toEqual([contract.toLowerCase(), authorization.payload, '0x1234'])
  }
})

test.each<[string, EthCall | undefined]>([
  ['there is no node', undefined],
  ['the contract rejects it', async () => '0x00'],
  ['the call returns nothing', async () => '0x'],
  ['the call fails', () => Promise.reject(new Error('reverted'))],
  [
    'the contract on one chain rejects it',
    async ({ chainId }) => (chainId === 'eip155:1' ? '0x01' : '0x00'),
  ],
])('§4.18.1 a contract’s signature is invalid if %s', async (_what, ethCall) => {
  const recap = encodeRecap({ att: { eip155: { 'request/a': [{ chains: ['eip155:10'] }] } } })
  expect(await verify(authorize(`eip155:1:${contract}`, '0x1234', [recap]), ethCall)).toBe(false)
})

test('§4.18.1 attack: a call that does not resolve makes the signature invalid after 5 s', async () => {
  const clock = createManualClock(start)
  const { cacao, request } = authorize(`eip155:1:${contract}`, '0x1234')
  let ended: boolean | undefined
  const verifying = verifyCacao(cacao, {
    requested: request,
    clock,
    ethCall: () => new Promise(() => {}),
  }).then((result) => (ended = result))
  clock.advance(4_999)
  await new Promise((resolve) => setTimeout(resolve))
  expect(ended).toBeUndefined()
  clock.advance(1)
  await verifying
  expect(ended).toBe(false)
})

test('a call’s timer is canceled when the call resolves', async () => {
  const clock = createManualClock(start)
  const { cacao, request } = authorize(`eip155:1:${contract}`, '0x1234')
  const { ethCall } = approvingNode()
  expect(await verifyCacao(cacao, { requested: request, clock, ethCall })).toBe(true)
  expect(clock.pending()).toBe(0)
})
