import * as v from 'valibot'

// Messages between a page and the secure frame, as the official frame client sends and reads them.
// See docs/contracts/frame.md.

/** Prefix of the type of messages from the page. */
export const appPrefix = '@w3m-app/'
/** Prefix of the type of messages from the frame. */
export const framePrefix = '@w3m-frame/'

const Text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength))

/** `eip155:1`, `1` or 1. */
const ChainId = v.union([Text(80), v.pipe(v.number(), v.safeInteger(), v.minValue(0))])

/** @see spec §3.14 */
export const AccountType = v.picklist(['eoa', 'smartAccount'])
export type AccountType = v.InferOutput<typeof AccountType>

/** @see spec §5.10.3 */
export const SocialProvider = v.picklist(['google', 'github', 'apple', 'facebook', 'x', 'discord'])
export type SocialProvider = v.InferOutput<typeof SocialProvider>

/** @see spec §3.15, §5.10.4 */
export const SiwxMessage = v.object({
  serializedMessage: v.optional(Text(20_000)),
  accountAddress: Text(200),
  chainId: Text(80),
  domain: Text(300),
  uri: Text(2_000),
  version: Text(20),
  nonce: Text(200),
  statement: v.optional(Text(5_000)),
  resources: v.optional(v.pipe(v.array(Text(2_000)), v.maxLength(50))),
  requestId: v.optional(Text(300)),
  issuedAt: v.optional(Text(60)),
  expirationTime: v.optional(Text(60)),
  notBefore: v.optional(Text(60)),
})
export type SiwxMessage = v.InferOutput<typeof SiwxMessage>

const User = {
  chainId: v.optional(ChainId),
  preferredAccountType: v.optional(AccountType),
  siwxMessage: v.optional(SiwxMessage),
  rpcUrl: v.optional(Text(2_000)),
}

const Code = v.object({ otp: Text(20) })
const Email = v.object({ email: Text(320) })

/** The payload of each message from the page, by its name; `null` for a message without one. */
const payloads = {
  SWITCH_NETWORK: v.object({ chainId: ChainId, rpcUrl: v.optional(Text(2_000)) }),
  CONNECT_EMAIL: Email,
  CONNECT_DEVICE: null,
  CONNECT_OTP: Code,
  CONNECT_SOCIAL: v.object({ uri: Text(8_000), ...User }),
  GET_SOCIAL_REDIRECT_URI: v.object({ provider: SocialProvider }),
  GET_FARCASTER_URI: null,
  CONNECT_FARCASTER: null,
  GET_USER: v.optional(v.object({ socialUri: v.optional(Text(8_000)), ...User }), {}),
  SIGN_OUT: null,
  IS_CONNECTED: v.optional(v.object({ token: v.optional(Text(2_000)) })),
  GET_CHAIN_ID: null,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: null,
  SET_PREFERRED_ACCOUNT: v.object({ type: AccountType }),
  /** Declared by the official client, which does not send it. */
  INIT_SMART_ACCOUNT: null,
  RPC_REQUEST: v.object({
    method: Text(100),
    params: v.optional(v.unknown()),
    chainNamespace: v.optional(
      v.picklist(['eip155', 'solana', 'polkadot', 'bip122', 'cosmos']),
      'eip155',
    ),
    chainId: v.optional(ChainId),
    rpcUrl: v.optional(Text(2_000)),
  }),
  RPC_ABORT: null,
  UPDATE_EMAIL: Email,
  UPDATE_EMAIL_PRIMARY_OTP: Code,
  UPDATE_EMAIL_SECONDARY_OTP: Code,
  SYNC_THEME: v.object({
    themeMode: v.optional(v.picklist(['light', 'dark'])),
    themeVariables: v.optional(v.record(Text(100), v.union([Text(300), v.number()]))),
    w3mThemeVariables: v.optional(v.record(Text(100), Text(300))),
    /** Ours: the language of the page, BCP 47. It chooses one of the frame's own. */
    locale: v.optional(Text(35)),
  }),
  SYNC_DAPP_DATA: v.object({
    metadata: v.optional(
      v.object({
        name: Text(200),
        description: Text(2_000),
        url: Text(2_000),
        icons: v.pipe(v.array(Text(2_000)), v.maxLength(20)),
      }),
    ),
    sdkVersion: v.optional(Text(100)),
    sdkType: v.optional(Text(50)),
    projectId: Text(64),
  }),
  RELOAD: null,
  /**
   * Ours: makes the frame show a card on which the visitor logs in with a
   * passkey.
   */
  CONNECT_PASSKEY: null,
  /** Ours: transfers the port of a `MessageChannel` over which all further messages are sent. */
  OPEN_PORT: null,
} as const

export type AppMessageName = keyof typeof payloads

export type AppPayload<Name extends AppMessageName> =
  (typeof payloads)[Name] extends v.GenericSchema
    ? v.InferOutput<(typeof payloads)[Name]>
    : undefined

export type AppMessage = {
  [Name in AppMessageName]: { name: Name; id: string; payload: AppPayload<Name> }
}[AppMessageName]

const Envelope = v.object({
  type: v.pipe(v.string(), v.maxLength(60), v.startsWith(appPrefix)),
  /** The official client sends 5 to 7 characters, ours 22. */
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  payload: v.optional(v.unknown()),
})

/**
 * Parses a message from a page.
 *
 * @returns `undefined` for any value that is not such a message.
 * @see spec §5.10.10, §7.17
 */
export function parseAppMessage(value: unknown): AppMessage | undefined {
  // Stops at the first issue, because a hostile page may send a value with hundreds of thousands.
  const envelope = v.safeParse(Envelope, value, { abortEarly: true })
  if (!envelope.success) return undefined
  const { type, id, payload } = envelope.output
  const name = type.slice(appPrefix.length)
  if (!Object.hasOwn(payloads, name)) return undefined
  const schema = payloads[name as AppMessageName]
  if (!schema) return { name, id, payload: undefined } as AppMessage
  const parsed = v.safeParse(schema, payload, { abortEarly: true })
  return parsed.success ? ({ name, id, payload: parsed.output } as AppMessage) : undefined
}
