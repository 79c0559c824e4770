import type { SignClient } from '@gatefold/sign'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requested, granted, next, settle, startClients } from './clients.ts'

let relay: Awaited<ReturnType<typeof startClients>>
let app: SignClient
let wallet: SignClient
let topic: string
let proposalId: number
beforeAll(async () => {
  relay = await startClients()
  app = relay.create('app')
  wallet = relay.create('wallet')
  topic = (await settle(app, wallet)).topic
  const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
  const { uri } = await app.connect({ requiredNamespaces: requested })
  await wallet.pair({ uri: uri ?? '' })
  proposalId = (await proposed).id
})
afterAll(() => relay.end())

const missing = 'a'.repeat(64)
const chains = requested.eip155.chains
const ofEach = { methods: [], events: [] }

type Row = [what: string, text: string, call: () => Promise<unknown>]

/** Casts a value to any type, to test invalid parameters. */
const given = (value: unknown) => value as never

describe('§5.12.1 connect', () => {
  test.each<Row>([
    [
      'missing parameters',
      'Missing or invalid. connect() params: undefined',
      () => app.connect(given(undefined)),
    ],
    ['a string', 'Missing or invalid. connect() params: all', () => app.connect(given('all'))],
    [
      'a numeric topic',
      'Missing or invalid. pairing topic should be a string: 5',
      () => app.connect({ pairingTopic: given(5) }),
    ],
    [
      'an unknown pairing',
      `No matching key. pairing topic doesn't exist: ${missing}`,
      () => app.connect({ pairingTopic: missing }),
    ],
    ['no relays', 'Missing or invalid. connect() relays: []', () => app.connect({ relays: [] })],
    [
      'a relay without a protocol',
      'Missing or invalid. connect() relays: [{}]',
      () => app.connect({ relays: given([{}]) }),
    ],
    [
      'an array of namespaces',
      'Missing or invalid. connect(), optionalNamespaces should be an object with data',
      () => app.connect({ optionalNamespaces: given([]) }),
    ],
    [
      'methods as a string',
      'Unsupported methods. connect(), namespace, methods should be an array of strings or empty array for no methods',
      () =>
        app.connect({
          requiredNamespaces: { eip155: { chains, methods: given('all'), events: [] } },
        }),
    ],
    [
      'missing events',
      'Unsupported events. connect(), namespace, events should be an array of strings or empty array for no events',
      () => app.connect({ requiredNamespaces: { eip155: given({ chains, methods: [] }) } }),
    ],
    [
      'no chains',
      'Unsupported chains. connect() requiredNamespaces, chains must be defined as "namespace:chainId"',
      () => app.connect({ requiredNamespaces: { eip155: ofEach } }),
    ],
    [
      'an invalid chain',
      'Unsupported chains. connect() optionalNamespaces, chain 1 should be a string and conform to "namespace:chainId" format',
      () => app.connect({ optionalNamespaces: { eip155: { chains: ['1'], ...ofEach } } }),
    ],
    [
      'a session property without a value',
      'Missing or invalid. sessionProperties must contain an existing value for each key. Received: null for key a',
      () => app.connect({ sessionProperties: given({ a: null }) }),
    ],
    [
      'a scoped property without a value',
      'Missing or invalid. scopedProperties must contain an existing value for each key. Received: undefined for key eip155',
      () => app.connect({ optionalNamespaces: requested, scopedProperties: { eip155: undefined } }),
    ],
    [
      'scoped properties of another namespace',
      'Scoped properties must be a subset of required/optional namespaces, received: {"solana":{}}, required/optional namespaces: ["eip155"]',
      () => app.connect({ optionalNamespaces: requested, scopedProperties: { solana: {} } }),
    ],
  ])('rejects %s', rejected)
})

describe('§5.12.2 approve', () => {
  const approve = (more: object) =>
    wallet.approve(given({ id: proposalId, namespaces: granted, ...more }))
  test.each<Row>([
    [
      'an id as a string',
      'Missing or invalid. proposal id should be a number: one',
      () => approve({ id: 'one' }),
    ],
    ['an unknown id', "No matching key. proposal id doesn't exist: 7", () => approve({ id: 7 })],
    [
      'no namespaces',
      'Missing or invalid. approve(), namespaces should be an object with data',
      () => approve({ namespaces: {} }),
    ],
    [
      'invalid accounts',
      'Unsupported accounts. approve() namespace, account 0x1 should be a string and conform to "namespace:chainId:address" format',
      () => approve({ namespaces: { eip155: { ...granted.eip155, accounts: ['0x1'] } } }),
    ],
    [
      'no accounts',
      'Unsupported accounts. approve() namespace, accounts should be an array of strings',
      () => approve({ namespaces: { eip155: ofEach } }),
    ],
    [
      'a numeric protocol',
      'Missing or invalid. approve() relayProtocol: 5',
      () => approve({ relayProtocol: 5 }),
    ],
    [
      'scoped properties of another namespace',
      'Scoped properties must be a subset of approved namespaces, received: {"solana":{}}, approved namespaces: eip155',
      () => approve({ scopedProperties: { solana: {} } }),
    ],
  ])('rejects %s', rejected)
})

describe('§5.12.3 request', () => {
  const request = (more: object) =>
    app.request(
      given({ topic, chainId: 'eip155:1', request: { method: 'personal_sign' }, ...more }),
    )
  test.each<Row>([
    [
      'another chain',
      'Missing or invalid. request() chainId: eip155:5',
      () => request({ chainId: 'eip155:5' }),
    ],
    ['an invalid chain', 'Missing or invalid. request() chainId: 1', () => request({ chainId: 1 })],
    [
      'a method that was not approved',
      'Missing or invalid. request() method: eth_sign',
      () => request({ request: { method: 'eth_sign' } }),
    ],
    [
      'a request without a method',
      'Missing or invalid. request() {}',
      () => request({ request: {} }),
    ],
    [
      'an expiry below the minimum',
      'Missing or invalid. request() expiry: 299. Expiry must be a number (in seconds) between 300 and 604800',
      () => request({ expiry: 299 }),
    ],
    [
      'an expiry above the maximum',
      'Missing or invalid. request() expiry: 604801.',
      () => request({ expiry: 604_801 }),
    ],
    [
      'an expiry as a string',
      'Missing or invalid. request() expiry: soon.',
      () => request({ expiry: 'soon' }),
    ],
    [
      'params that JSON cannot represent',
      'Missing or invalid. request() params cannot be serialized as JSON',
      () => request({ request: { method: 'personal_sign', params: [1n] } }),
    ],
  ])('rejects %s', rejected)
})

describe('§5.12.4 authenticate', () => {
  const authenticate = (more: object) =>
    app.authenticate(
      given({ chains: ['eip155:1'], uri: 'https://a', domain: 'a', nonce: 'n', ...more }),
    )
  test.each<Row>([
    [
      'no chains',
      'chains is required and must be a non-empty array',
      () => authenticate({ chains: [] }),
    ],
    ['an empty uri', 'uri is required parameter', () => authenticate({ uri: ' ' })],
    ['no domain', 'domain is required parameter', () => authenticate({ domain: undefined })],
    ['an empty domain', 'domain is required parameter', () => authenticate({ domain: '' })],
    ['a blank domain', 'domain is required parameter', () => authenticate({ domain: ' ' })],
    ['no nonce', 'nonce is required parameter', () => authenticate({ nonce: undefined })],
    ['an empty nonce', 'nonce is required parameter', () => authenticate({ nonce: '' })],
    ['a blank nonce', 'nonce is required parameter', () => authenticate({ nonce: ' ' })],
    ['a nonce that is a number', 'nonce is required parameter', () => authenticate({ nonce: 5 })],
    [
      'chains of two namespaces',
      'Multi-namespace requests are not supported. Please request single namespace only.',
      () => authenticate({ chains: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }),
    ],
    [
      'another namespace',
      'Only eip155 namespace is supported for authenticated sessions. Please use .connect() for non-eip155 chains.',
      () => authenticate({ chains: ['cosmos:cosmoshub-4'] }),
    ],
  ])('rejects %s', rejected)
})

describe('§5.12.5, 5.12.6, 8.9.4 a method for a session, pairing or pending request', () => {
  const jsonrpc = '2.0'
  test.each<Row>([
    [
      'a numeric topic',
      'Missing or invalid. session topic should be a string: 5',
      () => wallet.extend({ topic: given(5) }),
    ],
    [
      'an unknown session',
      `No matching key. session topic doesn't exist: ${missing}`,
      () => wallet.update({ topic: missing, namespaces: granted }),
    ],
    [
      'an update without namespaces',
      'Missing or invalid. update(), namespaces should be an object with data',
      () => wallet.update({ topic, namespaces: {} }),
    ],
    [
      'a ping to an unknown topic',
      `No matching key. session or pairing topic doesn't exist: ${missing}`,
      () => app.ping({ topic: missing }),
    ],
    [
      'a disconnect without a topic',
      'Missing or invalid. session or pairing topic should be a string: undefined',
      () => app.disconnect(given({})),
    ],
    [
      'an event for another chain',
      'Missing or invalid. emit() chainId: eip155:5',
      () => wallet.emit({ topic, chainId: 'eip155:5', event: { name: 'chainChanged', data: 5 } }),
    ],
    [
      'an event that was not approved',
      'Missing or invalid. emit() event: {"name":"message","data":1}',
      () => wallet.emit({ topic, chainId: 'eip155:1', event: { name: 'message', data: 1 } }),
    ],
    [
      'a response without a result',
      'Missing or invalid. respond() response: {"id":1,"jsonrpc":"2.0"}',
      () => wallet.respond({ topic, response: given({ id: 1, jsonrpc }) }),
    ],
    [
      'a response to an unknown request',
      "No matching key. request id doesn't exist: 1",
      () => wallet.respond({ topic, response: { id: 1, jsonrpc, result: 1 } }),
    ],
    [
      'a rejection without a reason',
      'Missing or invalid. reject() reason: undefined',
      () => wallet.reject(given({ id: proposalId })),
    ],
    [
      'an invalid URI',
      'Missing or invalid. pair() uri: hello',
      () => wallet.pair({ uri: 'hello' }),
    ],
    [
      'an expired URI',
      'Expired. pair() URI has expired. Please try again with a new connection URI.',
      () =>
        wallet.pair({
          uri: `wc:${missing}@2?expiryTimestamp=1700000000&relay-protocol=irn&symKey=${missing}`,
        }),
    ],
    [
      'a topic that does not match its key',
      'Missing or invalid. pair() uri#symKey',
      () => wallet.pair({ uri: `wc:${missing}@2?relay-protocol=irn&symKey=${missing}` }),
    ],
    [
      'an unknown sign-in request',
      'Could not find pending auth request with id 5',
      () => wallet.approveSessionAuthenticate({ id: 5, auths: [] }),
    ],
  ])('rejects %s', rejected)
})

async function rejected(_what: string, text: string, call: () => Promise<unknown>) {
  const error = await call().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toMatchObject({
    name: text.startsWith('Expired.') ? 'ExpiredError' : 'ValidationError',
    code: expect.stringMatching(/^sign\./) as string,
    message: expect.stringContaining(text) as string,
  })
}
