import * as v from 'valibot'
import { SocialProvider } from './appMessages.ts'
import { smartAccountKind } from './smartAccount.ts'

// The HTTP API between the frame site and the server, at `/api` of the frame's
// origin. Every request is a POST with a JSON body and carries a proof of
// possession of the device key (RFC 9449, DPoP). See
// docs/contracts/frame-api.md.

/**
 * How a wallet is restored on a device without shares. `automatic` requires
 * only a login. @see docs/custody.md
 */
export const recoveryMethods = ['automatic', 'passkey', 'password'] as const
export type RecoveryMethod = (typeof recoveryMethods)[number]

const Text = (maxLength: number) =>
  v.pipe(v.string('must be text'), v.minLength(1, 'must not be empty'), v.maxLength(maxLength))

/** base64url without padding. */
const Base64Url = (maxLength: number) =>
  v.pipe(Text(maxLength), v.regex(/^[\w-]+$/, 'must be base64url without padding'))

/** A random id: 128 bits or more as base64url. */
const Id = v.pipe(Base64Url(64), v.minLength(22, 'must have at least 128 bits'))

/**
 * Only ASCII: in lower case, the Kelvin sign (U+212A) becomes the letter k, so a different address would become this
 * one.
 *
 * @see spec §5.10.1
 */
export const EmailAddress = v.pipe(
  v.string('Required'),
  v.trim(),
  v.regex(/^\p{ASCII}*$/u, 'Invalid email'),
  v.toLowerCase(),
  v.maxLength(254, 'Invalid email'),
  v.email('Invalid email'),
)

/** A one-time code. @see spec §5.10.2 */
export const Code = v.pipe(v.string('must be text'), v.regex(/^\d{6}$/, 'must be six digits'))

const ProjectId = v.optional(v.pipe(v.string(), v.maxLength(64)))

/** `0x` and 40 hex digits. */
const EvmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address'))

/**
 * The origin of the page that embeds the frame. Mails contain it, and it must
 * be one of the project's origins. The pattern admits only a scheme, a host and
 * a port, because a project that allows every origin does not restrict the text
 * any further.
 */
const Origin = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(
    /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d{1,5})?$|^https?:\/\/\[[0-9a-f:.]+\](?::\d{1,5})?$/,
    'must be an origin',
  ),
)

/** `POST /api/login/email` */
export const EmailLoginBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  email: EmailAddress,
})

/** The visitor's next step, with the official client's names. */
export type LoginAction = 'VERIFY_DEVICE' | 'VERIFY_OTP'

export type EmailLoginResponse = {
  action: LoginAction
  loginId: string
  /** How long the code is valid. */
  codeSeconds: number
  /** How long to wait before another code can be requested. */
  resendSeconds: number
}

/** `POST /api/login/device`: waits until the mailed link is confirmed, at most `deviceWaitMs`. */
export const DeviceLoginBody = v.object({ loginId: Id })

export type DeviceLoginResponse = { isConfirmed: boolean }

/** `POST /api/login/verify` */
export const VerifyLoginBody = v.object({ loginId: Id, code: Code })

/** `POST /api/login/social`: starts a login with OAuth 2.0. */
export const SocialLoginBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  provider: SocialProvider,
  /** The challenge of the verifier that only the frame has (RFC 7636, `S256`). */
  challenge: v.pipe(Base64Url(43), v.length(43, 'must be a SHA-256')),
})

export type SocialLoginResponse = {
  /** The provider's page, to open in a window. */
  uri: string
  /** Identifies the login; contained in `uri` and in the result. */
  state: string
}

/** `POST /api/login/social/finish`: redeems the URI of the callback page. */
export const FinishSocialBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  uri: Text(8_000),
  verifier: v.pipe(Base64Url(128), v.minLength(43, 'must have at least 256 bits')),
})

/** `POST /api/login/farcaster`: starts a login with Farcaster. */
export const FarcasterLoginBody = v.object({ projectId: ProjectId, origin: Origin })

export type FarcasterLoginResponse = {
  loginId: string
  /** Opens the visitor's Farcaster app, as a link or QR code. */
  url: string
}

/** `POST /api/login/farcaster/finish`: waits until the visitor has confirmed, at most `deviceWaitMs`. */
export const FinishFarcasterBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  loginId: Id,
})

export type FinishFarcasterResponse =
  | { isConfirmed: false }
  | ({ isConfirmed: true } & LoginResponse)

/** `POST /api/session/refresh` */
export const RefreshBody = v.object({ refreshToken: Id })

/** Tokens of a session. Both are bound to the device key. */
export type SessionTokens = {
  accessToken: string
  accessSeconds: number
  /** Valid once. A second use ends the session. */
  refreshToken: string
  refreshSeconds: number
}

export type FrameUser = {
  id: string
  email: string | null
  /** The name at the social provider. */
  userName: string | null
  /** Incremented when the user signs out everywhere. Sets of an earlier epoch are refused. */
  epoch: number
  /**
   * Whether this device gets no shares of the wallet until the visitor logs in
   * with a mailed code, because the current login does not prove that the
   * visitor is at this device.
   */
  needsCode: boolean
  /** `null` until the wallet is created. */
  wallet: FrameWallet | null
  /** How the wallet can be restored; `null` until it is created. */
  recovery: FrameRecovery | null
}

/**
 * The public key of the recovery key, and the wallet's signature of it and of
 * the methods ({@link methodsText}). Both are `null` until a device changes the
 * methods of a wallet from an earlier version.
 */
export type SignedKey = { publicKey: string | null; signature: string | null }

export type FrameRecovery = {
  recoveryId: string
  /** Incremented by each change of the methods. */
  version: number
  isAutomatic: boolean
  /** SHA-256 of {@link wrapsText}, base64url. */
  wrapsHash: string
  /**
   * Whether a removed method or device can have a copy of the recovery key.
   * The next device that can do so replaces the key.
   */
  isOutdated: boolean
  /** Number of passkeys. */
  passkeys: number
  hasPassword: boolean
} & SignedKey

export type FrameWallet = {
  /** `0x` and 40 hex digits, with the checksum of EIP-55. */
  eip155: string
  /** base58 */
  solana: string
  /** `null` if no device has stored it yet. */
  smartAccount: WalletSmartAccount | null
  /**
   * The id of this device's committed set of shares; `null` if the device has
   * no set of the current epoch.
   */
  setId: string | null
}

/**
 * The data from which the addresses of a wallet's smart account on all chains
 * are computed.
 */
export type WalletSmartAccount = {
  /** `safe-1.4.1`; a client ignores other kinds. */
  kind: string
  owner: string
}

export type LoginResponse = { session: SessionTokens; user: FrameUser }

/** An uncompressed P-256 public key, as base64url. */
const PublicKey = v.pipe(Base64Url(87), v.length(87))

/** r, s and v of a signature by the key of the wallet's `eip155` address. */
const Signature = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{130}$/i, 'must be 65 bytes in hexadecimal'),
)

/** Maximum number of passkeys and passwords of a user. */
const maxWraps = 10

/**
 * A recovery key that is wrapped by a password (Argon2id) or a passkey (PRF).
 * It is encrypted for `publicKey`, whose private key is derived from the
 * password or the passkey. Wraps of earlier versions have no `publicKey`, and
 * are AES-256-GCM under the derived secret.
 */
export const KeyWrap = v.variant('method', [
  v.object({
    method: v.literal('password'),
    createdAt: v.pipe(v.number(), v.safeInteger()),
    /** 16 bytes. */
    salt: Base64Url(22),
    /** Argon2id: memory in KiB, passes, lanes. */
    memoryKib: v.pipe(v.number(), v.integer(), v.minValue(65_536), v.maxValue(1_048_576)),
    passes: v.pipe(v.number(), v.integer(), v.minValue(3), v.maxValue(20)),
    lanes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)),
    publicKey: v.optional(PublicKey),
    wrapped: Base64Url(200),
  }),
  v.object({
    method: v.literal('passkey'),
    /** Shown in the list of methods. */
    name: Text(100),
    createdAt: v.pipe(v.number(), v.safeInteger()),
    credentialId: Base64Url(1_400),
    publicKey: v.optional(PublicKey),
    wrapped: Base64Url(200),
  }),
])

export type KeyWrap = v.InferOutput<typeof KeyWrap>

/**
 * `POST /api/wallet/stage`: stores a new set of shares of this device without using it yet.
 *
 * `recoveryId` is the id of the set with which the recovery key was created; by default the id of this set. On commit,
 * `wraps` replaces the user's methods of version `version` (0 if there are none), with `methodsSignature` over {@link
 * methodsText}; without `wraps`, the methods stay. `recoveryKey` is only for the method `automatic`: it is passed on to
 * the escrow store and stored nowhere else.
 */
export const StageBody = v.object({
  setId: Id,
  epoch: v.pipe(v.number(), v.integer(), v.minValue(1)),
  eip155: EvmAddress,
  solana: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be an address')),
  smartAccount: v.object({ kind: v.literal(smartAccountKind), owner: EvmAddress }),
  /** Signature of {@link setText}. */
  signature: Signature,
  authShare: Base64Url(200),
  /** The recovery share, encrypted for the recovery key. */
  recoveryShare: Base64Url(200),
  /** The public key of the recovery key. */
  recoveryPublicKey: PublicKey,
  recoveryId: v.optional(Id),
  wraps: v.optional(v.pipe(v.array(KeyWrap), v.maxLength(maxWraps))),
  version: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
  methodsSignature: v.optional(Signature),
  recoveryKey: v.optional(Base64Url(43)),
})

export type StageBody = v.InferInput<typeof StageBody>

/** `POST /api/wallet/staged` and `POST /api/wallet/commit` */
export const SetBody = v.object({ setId: Id })

/**
 * The response to `POST /api/wallet/staged`: the stored set, from which the
 * frame rebuilds the key before the commit.
 */
export type StagedResponse = {
  authShare: string
  recoveryShare: string
  /** `null` if the set keeps the methods. */
  wraps: KeyWrap[] | null
}

/** The response to `POST /api/wallet/share`: the auth share of this device's committed set. */
export type ShareResponse = { setId: string; epoch: number; authShare: string }

/**
 * `POST /api/wallet/recovery`: without `skip`, returns the set that was
 * committed last. `skip` lists sets from which the wallet could not be
 * restored, such as one whose password the user does not know.
 */
export const RecoveryBody = v.object({ skip: v.optional(v.pipe(v.array(Id), v.maxLength(10)), []) })

/**
 * The response to `POST /api/wallet/recovery` {@link RecoveryBody}, for a device without a set: the auth share and the
 * encrypted recovery share of another set. Only within `freshLoginSeconds` of a login. The user is notified by mail.
 */
export type RecoveryResponse = {
  setId: string
  epoch: number
  authShare: string
  recoveryShare: string
  /**
   * The public key for which `recoveryShare` is encrypted; `null` if it is
   * AES-256-GCM under the recovery key, as in earlier versions.
   */
  recoveryPublicKey: string | null
} & MethodsResponse

/**
 * The response to `POST /api/wallet/methods`: all methods that yield the
 * recovery key. Only after a fresh login.
 */
export type MethodsResponse = {
  recoveryId: string
  /** Incremented by each change of the methods. */
  version: number
  wraps: KeyWrap[]
  /** Whether `POST /api/wallet/escrow` has the recovery key. */
  isAutomatic: boolean
} & SignedKey

/** The response to `POST /api/wallet/escrow`: the recovery key of the user, 32 bytes as base64url. */
export type EscrowResponse = { recoveryKey: string }

/** `POST /api/email/change` */
export const EmailChangeBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  email: EmailAddress,
})

export type EmailChangeResponse = {
  action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'
  changeId: string
}

/** `POST /api/email/verify-primary` and `POST /api/email/verify-secondary` */
export const EmailChangeCodeBody = v.object({ changeId: Id, code: Code })

/** A device in the response to `POST /api/devices`. */
export type FrameDevice = {
  id: string
  /** Browser and system, from the user agent of its last login. */
  name: string
  origin: string
  createdAt: number
  lastUsedAt: number
  isThis: boolean
}

/** `POST /api/devices/revoke` */
export const RevokeDeviceBody = v.object({ deviceId: Id })

/** An entry in the response to `POST /api/audit`, newest first. */
export type AuditEntry = {
  at: number
  event: string
  deviceName: string | null
  origin: string | null
}

/** The response to `POST /api/export/code`: the code has been mailed. */
export type ExportCodeResponse = { confirmId: string }

/** `POST /api/audit/export`: how the key leaves the frame, with the mailed code if the user has an address. */
export const ExportedBody = v.object({
  form: v.picklist(['phrase', 'backup']),
  confirmId: v.optional(Id),
  code: v.optional(Code),
})

/** `POST /api/session/end` */
export const EndSessionBody = v.object({ everywhere: v.optional(v.boolean(), false) })

/**
 * `POST /api/handover/start`: an embedded frame requests the recovery key,
 * which a page of the frame's origin unwraps with a passkey or a password and
 * encrypts for `publicKey`.
 */
export const HandoverBody = v.object({ publicKey: PublicKey })

export type HandoverResponse = {
  handoverId: string
  /** For the URL of the page. */
  token: string
  seconds: number
}

/** `POST /api/handover/open`, by the page; once. */
export const HandoverTokenBody = v.object({ token: Id })

export type HandoverOpenResponse = Omit<MethodsResponse, keyof SignedKey> & {
  userId: string
  /** Name and page of the requesting device. */
  deviceName: string
  origin: string
  /** Of the requesting device. */
  publicKey: string
}

/** `POST /api/handover/put`, by the page. */
export const HandoverPutBody = v.object({ token: Id, sealed: Base64Url(400) })

/**
 * `POST /api/handover/take`, by the frame: waits up to `deviceWaitMs` until the
 * page has stored the key; once.
 */
export const HandoverTakeBody = v.object({ handoverId: Id })

export type HandoverTakeResponse = { sealed: string | null }

/** `POST /api/passkey/challenge`: for a login with a passkey, or a new wallet with one. */
export const PasskeyChallengeBody = v.object({ projectId: ProjectId, origin: Origin })

export type PasskeyChallengeResponse = {
  /** base64url */
  challenge: string
  /** The id of the user that a new passkey would create. */
  userId: string
}

/**
 * `POST /api/login/passkey`. `response` is the result of
 * `PublicKeyCredential.toJSON()` without extension results, because the PRF's
 * output unlocks the wallet and must not reach the server.
 */
const Signed = {
  id: Base64Url(1_400),
  rawId: Base64Url(1_400),
  type: v.literal('public-key'),
  clientExtensionResults: v.strictObject({}),
}
export const PasskeyLoginBody = v.object({
  projectId: ProjectId,
  origin: Origin,
  passkey: v.union([
    v.object({
      ...Signed,
      response: v.object({
        clientDataJSON: Base64Url(4_000),
        authenticatorData: Base64Url(4_000),
        signature: Base64Url(2_000),
        userHandle: v.optional(Base64Url(100)),
      }),
    }),
    v.object({
      ...Signed,
      response: v.object({
        clientDataJSON: Base64Url(4_000),
        attestationObject: Base64Url(16_000),
      }),
    }),
  ]),
})

export type PasskeyLoginBody = v.InferInput<typeof PasskeyLoginBody>
