import { expect, test } from 'vitest'
import {
  authenticateExpiry,
  isMethod,
  methods,
  pairingExpiry,
  requestExpiry,
  sessionLifetime,
  unknownMethod,
} from './methods.ts'

/** Ttl in seconds, tag, and whether the wallet's user gets a push notification. */
type Published = [ttl: number, tag: number, prompt?: boolean]

// The table in docs/contracts/relay.md#client-methods.
test.each<[method: keyof typeof methods, request: Published, ...responses: Published[]]>([
  ['wc_pairingDelete', [86_400, 1000], [86_400, 1001]],
  ['wc_pairingPing', [30, 1002], [30, 1003]],
  ['wc_sessionPropose', [300, 1100, true], [300, 1101], [300, 1120], [300, 1121]],
  ['wc_sessionSettle', [300, 1102], [300, 1103]],
  ['wc_sessionUpdate', [86_400, 1104], [86_400, 1105]],
  ['wc_sessionExtend', [86_400, 1106], [86_400, 1107]],
  ['wc_sessionRequest', [900, 1108, true], [900, 1109]],
  ['wc_sessionEvent', [300, 1110, true], [300, 1111]],
  ['wc_sessionDelete', [86_400, 1112], [86_400, 1113]],
  ['wc_sessionPing', [86_400, 1114], [86_400, 1115]],
  ['wc_sessionAuthenticate', [3_600, 1116, true], [3_600, 1117], [300, 1118], [300, 1119]],
])('%s is published as %o, its response and rejections as %o', (method, ...published) => {
  const [request, response, reject, autoReject] = published.map(([ttl, tag, prompt = false]) => ({
    ttl,
    tag,
    prompt,
  }))
  expect(methods[method]).toEqual({
    request,
    response,
    ...(reject && { reject }),
    ...(autoReject && { autoReject }),
  })
  expect(isMethod(method)).toBe(true)
})

test('the response to an unknown method is published with tag 0', () => {
  expect(['wc_other', 'toString'].map(isMethod)).toEqual([false, false])
  expect(unknownMethod).toEqual({ ttl: 86_400, tag: 0, prompt: false })
})

test('sessions last 7 days, pairings 5 minutes, requests 5 minutes to 7 days, sign-ins 1 hour', () => {
  expect([sessionLifetime, pairingExpiry, authenticateExpiry]).toEqual([604_800, 300, 3_600])
  expect(requestExpiry).toEqual({ min: 300, max: 604_800, normal: 900 })
})
