/** How a message is published: `ttl` in seconds, tag, and whether the receiver may get a push notification. */
export type PublishSettings = { ttl: number; tag: number; prompt: boolean }

const minutes5 = 300
const hour = 3_600
const day = 86_400

/**
 * Publish settings of each method's request, response and rejections.
 *
 * @see docs/contracts/relay.md#client-methods
 */
export const methods = {
  wc_pairingDelete: requestAndResponse(day, 1000, false),
  wc_pairingPing: requestAndResponse(30, 1002, false),
  wc_sessionPropose: {
    ...requestAndResponse(minutes5, 1100, true),
    reject: settings(minutes5, 1120),
    autoReject: settings(minutes5, 1121),
  },
  wc_sessionSettle: requestAndResponse(minutes5, 1102, false),
  wc_sessionUpdate: requestAndResponse(day, 1104, false),
  wc_sessionExtend: requestAndResponse(day, 1106, false),
  wc_sessionRequest: { request: settings(900, 1108, true), response: settings(900, 1109) },
  wc_sessionEvent: requestAndResponse(minutes5, 1110, true),
  wc_sessionDelete: requestAndResponse(day, 1112, false),
  wc_sessionPing: requestAndResponse(day, 1114, false),
  wc_sessionAuthenticate: {
    ...requestAndResponse(hour, 1116, true),
    reject: settings(minutes5, 1118),
    autoReject: settings(minutes5, 1119),
  },
} as const satisfies Record<
  string,
  {
    request: PublishSettings
    response: PublishSettings
    reject?: PublishSettings
    autoReject?: PublishSettings
  }
>

export type Method = keyof typeof methods

export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}

/** Publish settings of the response to an unknown method (10001). */
export const unknownMethod = settings(day, 0)

/** Lifetime of a session from when it is settled or extended, in seconds. */
export const sessionLifetime = 7 * day
/** Limits and default of the `expiry` that is passed to `request`, in seconds. @see spec §5.12.3 */
export const requestExpiry = { min: minutes5, max: 7 * day, normal: 900 } as const
/** Lifetime of a pairing or a proposal, in seconds. @see docs/contracts/relay.md#pairing-uri */
export const pairingExpiry = minutes5
/** Minimum and default lifetime of an authenticate request, in seconds. */
export const authenticateExpiry = hour

function requestAndResponse(ttl: number, tag: number, prompt: boolean) {
  return { request: settings(ttl, tag, prompt), response: settings(ttl, tag + 1) }
}

function settings(ttl: number, tag: number, prompt = false): PublishSettings {
  return { ttl, tag, prompt }
}
