/** How a message is published: seconds it is kept, its tag, whether a sleeping wallet is woken. */
export type PublishSettings = { ttl: number; tag: number; prompt: boolean }

const minutes5 = 300
const hour = 3_600
const day = 86_400

/**
 * Every method and how its request, its answer and its refusals are published.
 *
 * @see contract of the relay, 4.2
 */
export const methods = {
  wc_pairingDelete: both(day, 1000, false),
  wc_pairingPing: both(30, 1002, false),
  wc_sessionPropose: {
    ...both(minutes5, 1100, true),
    reject: say(minutes5, 1120),
    autoReject: say(minutes5, 1121),
  },
  wc_sessionSettle: both(minutes5, 1102, false),
  wc_sessionUpdate: both(day, 1104, false),
  wc_sessionExtend: both(day, 1106, false),
  wc_sessionRequest: { request: say(900, 1108, true), response: say(900, 1109) },
  wc_sessionEvent: both(minutes5, 1110, true),
  wc_sessionDelete: both(day, 1112, false),
  wc_sessionPing: both(day, 1114, false),
  wc_sessionAuthenticate: {
    ...both(hour, 1116, true),
    reject: say(minutes5, 1118),
    autoReject: say(minutes5, 1119),
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

/** How it is said that a method is not known (10001). */
export const unknownMethod = say(day, 0)

/** A session lives for seven days after it was made or extended, in seconds. */
export const sessionLifetime = 7 * day
/** What `request` takes as `expiry`, in seconds. @see spec §5.12.3 */
export const requestExpiry = { min: minutes5, max: 7 * day, normal: 900 } as const
/** A pairing text or a proposal is good for this long, in seconds. @see contract 4.4 */
export const pairingExpiry = minutes5
/** Shortest and usual life of an authenticate request, in seconds. */
export const authenticateExpiry = hour

function both(ttl: number, tag: number, prompt: boolean) {
  return { request: say(ttl, tag, prompt), response: say(ttl, tag + 1) }
}

function say(ttl: number, tag: number, prompt = false): PublishSettings {
  return { ttl, tag, prompt }
}
