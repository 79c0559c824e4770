import { BaseError } from '@gatefold/protocol'
import * as v from 'valibot'
import { requestJson } from '../../money/requestJson.ts'

const timeoutMs = 10_000
const maxBytes = 64 * 1024

const Channel = v.object({
  channelToken: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)),
  /** Opens the visitor's Farcaster app. */
  url: v.pipe(v.string(), v.maxLength(2_000), v.regex(/^(?:https|farcaster):\/\//)),
  nonce: v.string(),
})

const Status = v.variant('state', [
  v.object({ state: v.literal('pending') }),
  v.object({
    state: v.literal('completed'),
    message: v.pipe(v.string(), v.maxLength(5_000)),
    signature: v.pipe(v.string(), v.maxLength(20_000)),
    username: v.nullish(v.string()),
  }),
])

export type ChannelStatus = v.InferOutput<typeof Status>

/**
 * Opens a channel at the Farcaster relay, through which the visitor's app sends
 * the signed message.
 *
 * @see https://docs.farcaster.xyz/auth-kit/client/app/create-channel
 */
export async function createChannel(
  relayUrl: string,
  request: { siweUri: string; domain: string; nonce: string; expirationTime: string },
): Promise<v.InferOutput<typeof Channel>> {
  const channel = await requestJson({
    url: new URL('/v1/channel', relayUrl).href,
    schema: Channel,
    timeoutMs,
    maxBytes,
    fail,
    body: { ...request, acceptAuthAddress: true },
  })
  if (channel?.nonce !== request.nonce) throw fail('changed the nonce')
  return channel
}

/** @see https://docs.farcaster.xyz/auth-kit/client/app/status */
export async function readChannel(relayUrl: string, token: string): Promise<ChannelStatus> {
  const status = await requestJson({
    url: new URL('/v1/channel/status', relayUrl).href,
    schema: Status,
    timeoutMs,
    maxBytes,
    fail,
    headers: { authorization: `Bearer ${token}` },
  })
  return status!
}

function fail(what: string): Error {
  return new BaseError(`The relay of Farcaster ${what}.`, {
    code: 'frame.social_failed',
    details: what,
  })
}
