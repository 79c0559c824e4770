import { expect, test } from 'vitest'
import { formatPairingUri, isPairingExpired, pairingLifetimeSeconds } from './pairingUri.ts'
import { PairingUriError, parsePairingUri } from './parsePairingUri.ts'

const topic = 'ab'.repeat(32)
const symKey = 'cd'.repeat(32)
const pairing = {
  topic,
  symKey,
  relay: { protocol: 'irn' },
  expiryTimestamp: 1_700_000_000,
  methods: ['wc_sessionPropose', 'wc_sessionAuthenticate'],
}
/** A URI formatted by @walletconnect/utils 2.21.8. */
const official = `wc:${topic}@2?relay-protocol=irn&symKey=${symKey}&expiryTimestamp=1700000000&methods=wc_sessionPropose%2Cwc_sessionAuthenticate`

test.each([
  ['the official client’s order', official],
  ['Gatefold’s order', formatPairingUri(pairing)],
  ['a double slash', official.replace('wc:', 'wc://')],
  ['capitals', official.replace(topic, topic.toUpperCase()).replace('wc:', 'WC:')],
  ['base64', btoa(official)],
  ['base64 without padding', btoa(official).replaceAll('=', '')],
  ['plain commas', official.replace('%2C', ',')],
  ['surrounding whitespace', ` ${official}\n`],
])('a pairing URI is parsed: %s', (_, uri) => {
  expect(parsePairingUri(uri)).toEqual(pairing)
})

test('expiry and methods are optional', () => {
  const bare = { topic, symKey, relay: { protocol: 'irn' } }
  const uri = formatPairingUri(bare)
  expect(uri).toBe(`wc:${topic}@2?relay-protocol=irn&symKey=${symKey}`)
  expect(parsePairingUri(uri)).toEqual(bare)
})

test.each([
  ['', 'form'],
  ['https://app.example', 'form'],
  ['wc:', 'form'],
  [`wc:${topic}@1?bridge=x&key=y`, 'version 1'],
  [official.replace(topic, 'ab'), 'topic'],
  [official.replace(symKey, 'xyz'), 'symKey'],
  [official.replace('relay-protocol=irn', ''), 'relay-protocol'],
  [official.replace('1700000000', 'soon'), 'expiryTimestamp'],
])('error: %j is rejected', (uri, word) => {
  const error = (() => {
    try {
      return parsePairingUri(uri)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(PairingUriError)
  expect((error as PairingUriError).metaMessages[0]).toContain(word)
})

test('§4.7 §9.1.1/1 §9.1.1/2 a pairing URI lasts four minutes and counts as expired 10 s before that', () => {
  const now = 1_700_000_000_000
  const expiry = now / 1_000 + pairingLifetimeSeconds
  expect(isPairingExpired(expiry, now + 229_999)).toBe(false)
  expect(isPairingExpired(expiry, now + 230_000)).toBe(true)
})
