import {
  InvalidJwtError,
  relayRefusals,
  verifyRelayJwt,
  type RelayClaims,
  type RelayMethod,
} from '@gatefold/protocol/relay'
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../storage/Database.ts'
import { deleteWatch, maxWatches, saveWatch } from '../../storage/relayWatches.ts'
import { audiencesOf, verifyEd25519 } from '../socket/authorize.ts'
import { fromStore, RelayError } from '../errors.ts'
import { longestMs } from '../requests/createRateLimit.ts'
import type { Call, Handler } from './Handler.ts'
import type { RelayContext } from '../RelayContext.ts'

/** Maximum length of a webhook's URL. */
const maxWebhookLength = 256
/** Minimum lifetime of a registration. */
const leastSeconds = 60

/** The claims that every watch token has: its issuer, its expiry, the kind of watch and the webhook. */
const Watch = v.object({
  iss: v.string(),
  exp: v.number(),
  typ: v.picklist(['subscriber', 'publisher']),
  /** The URL of the webhook. */
  whu: v.pipe(v.string(), v.url(), v.maxLength(maxWebhookLength), v.excludes('\0')),
})

/** A message's tag: 32 bits. */
const Tag = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff))

const Register = v.object({
  ...Watch.entries,
  tag: v.pipe(v.array(Tag), v.maxLength(100)),
  sts: v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(10)),
})

/** Maximum lifetime of a registration: 30 days. */
const maxSeconds = 30 * 24 * 60 * 60

/** `irn_watchRegister`: stores a webhook for messages with certain tags. The relay never calls the webhook. */
export const irnWatchRegister: Handler<'irn_watchRegister'> = async (relay, call) => {
  const claims = readToken(relay, call, call.params.registerAuth, 'irn_watch_register', Register)
  const { limits, now } = relay.context
  if (claims.exp < now() / 1000 + leastSeconds)
    throw new RelayError('invalidPayload', 'InvalidParams', 'the watch expires within a minute')
  if (limits.watches.take(call.payer.address) > 0)
    throw new RelayError('tooManyRequests', 'TooManyRequests', 'too many watches of this address')
  const isSaved = await inSlot(relay, call, (db) =>
    saveWatch(db, {
      client_id: claims.iss,
      kind: claims.typ,
      webhook: claims.whu,
      tags: JSON.stringify(claims.tag),
      statuses: JSON.stringify(claims.sts),
      expires_at: claims.exp * 1000,
    }),
  )
  if (!isSaved)
    throw new RelayError(
      'requestHandler',
      'SubscriberLimitExceeded',
      `a client has at most ${maxWatches} watches`,
    )
  return { relayId: relay.relayId }
}

/** `irn_watchUnregister`: deletes a stored webhook. */
export const irnWatchUnregister: Handler<'irn_watchUnregister'> = async (relay, call) => {
  const claims = readToken(relay, call, call.params.unregisterAuth, 'irn_watch_unregister', Watch)
  await inSlot(relay, call, (db) =>
    deleteWatch(db, { client_id: claims.iss, kind: claims.typ, webhook: claims.whu }),
  )
  return true
}

/**
 * Writes to the database when there is a slot for the caller's address. Otherwise registrations of new keys could occupy
 * all connections to the database, and new clients would wait for one.
 *
 * @throws {RelayError} `TooManyRequests` if there is no slot in time.
 * @throws {RelayStorageError}
 * @see docs/threats.md#relay-flood
 */
async function inSlot<Result>(
  { context, watchSlots }: RelayContext,
  { payer }: Pick<Call<RelayMethod>, 'payer'>,
  write: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(longestMs)
  try {
    return await watchSlots.run(payer.address, signal, () => fromStore(write(context.storage.db)))
  } catch (error) {
    if (error instanceof RelayError) throw error
    throw new RelayError('tooManyRequests', 'TooManyRequests', 'try again in a few seconds', error)
  }
}

function readToken<Schema extends v.GenericSchema>(
  { context }: RelayContext,
  { host, clientId }: Pick<Call<RelayMethod>, 'host' | 'clientId'>,
  token: string,
  act: string,
  schema: Schema,
): v.InferOutput<Schema> {
  let claims: RelayClaims
  try {
    claims = verifyRelayJwt(token, {
      audiences: audiencesOf(context, host),
      nowSeconds: context.now() / 1000,
      verify: verifyEd25519,
      act,
      maxSeconds,
    })
  } catch (error) {
    if (!(error instanceof InvalidJwtError)) throw error
    throw new RelayError('auth', 'InvalidJwt', relayRefusals[error.refusal], error)
  }
  // Any client can create keys, and each would have its own `maxWatches`.
  if (claims.iss !== clientId) throw new RelayError('auth', 'InvalidJwt', relayRefusals.jwtInvalid)
  const result = v.safeParse(schema, claims, { abortEarly: true })
  if (result.success) return result.output
  throw new RelayError(
    'invalidPayload',
    'InvalidParams',
    'a claim in the token is missing or invalid',
  )
}
