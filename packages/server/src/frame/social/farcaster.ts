import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits, toLabel } from '@gatefold/protocol'
import {
  FarcasterLoginBody,
  FinishFarcasterBody,
  type FarcasterLoginResponse,
  type FrameLanguage,
  type FinishFarcasterResponse,
} from '@gatefold/protocol/frame'
import type { Address } from 'viem'
import { readHeader } from '../../http/access.ts'
import { networks } from '../../money/chainData/networks.ts'
import { createEvmChain } from '../../money/evm/createEvmChain.ts'
import type { StoredSocialLogin } from '../../storage/frame/socials.ts'
import { FrameError } from '../FrameError.ts'
import { hashToken, open, readProject } from '../requests.ts'
import type { FrameService } from '../service.ts'
import { frameTiming } from '../timing.ts'
import { toDeviceName } from '../toDeviceName.ts'
import { createChannel, readChannel, type ChannelStatus } from './farcasterRelay.ts'
import { readSiwf } from './readSiwf.ts'
import { expiredLogin, fail, finishLogin, unavailable } from './socialLogin.ts'

const provider = 'farcaster'
/**
 * Maximum number of requests that wait for a confirmation. Further requests are
 * answered immediately.
 */
const maxWaiting = 1_000
const maxNameLength = 100

/** `POST /api/login/farcaster` @see docs/contracts/frame-api.md#farcaster */
export function postFarcasterLogin(service: FrameService) {
  const { context, keys, store } = service
  return open(
    service,
    FarcasterLoginBody,
    async ({ c, body, deviceId }): Promise<FarcasterLoginResponse> => {
      const project = await readProject(service, body)
      const { relayUrl } = settingsOf(service)
      const loginId = randomBytes(16).toString('base64url')
      const nonce = randomBytes(16).toString('hex')
      const expiresAt = context.now() + limits.socialLoginSeconds * 1000
      const { channelToken, url } = await createChannel(relayUrl, {
        ...siteOf(service),
        nonce,
        expirationTime: new Date(expiresAt).toISOString(),
      }).catch((error: unknown) => fail(service, provider, error))
      const id = hashToken(loginId)
      const { keyId, sealed } = keys.seal('farcaster channel', [id], channelToken)
      await store.addSocialLogin({
        id,
        device_id: deviceId,
        device_name: toDeviceName(readHeader(c, 'user-agent')),
        project_id: project.id,
        origin: body.origin,
        provider,
        challenge: null,
        nonce,
        channel_key_id: keyId,
        channel: sealed,
        is_redirected: 0,
        expires_at: expiresAt,
      })
      return { loginId, url }
    },
  )
}

/** `POST /api/login/farcaster/finish` */
export function postFinishFarcaster(service: FrameService) {
  const { context, stopping, store } = service
  const waiting = new Set<string>()
  const timing = { ...frameTiming, ...context.frameTiming }
  return open(
    service,
    FinishFarcasterBody,
    async ({ c, body, deviceId, language }): Promise<FinishFarcasterResponse> => {
      const project = await readProject(service, body)
      settingsOf(service)
      const deadline = performance.now() + timing.deviceWaitMs
      const signal = AbortSignal.any([stopping, c.req.raw.signal])
      const id = hashToken(body.loginId)
      for (;;) {
        const login = await store.findSocialLogin({ id, provider, now: context.now() })
        if (!login || login.device_id !== deviceId) throw expiredLogin()
        const status = await readStatus(service, login)
        if (status.state === 'completed') {
          // Consumed before it is verified, so that each message can be tried
          // only once.
          const taken = await store.takeSocialLogin({
            id,
            provider,
            deviceId,
            projectId: project.id,
            origin: body.origin,
            now: context.now(),
          })
          if (!taken) throw expiredLogin()
          const found = await verify(service, taken, { ...status, language })
          return { isConfirmed: true, ...found }
        }
        if (performance.now() >= deadline || signal.aborted) return { isConfirmed: false }
        // Only one request per login waits, because each polls the relay.
        if (waiting.has(id) || waiting.size >= maxWaiting) return { isConfirmed: false }
        waiting.add(id)
        await wait(timing.relayPollMs, undefined, { signal }).catch(() => {})
        waiting.delete(id)
      }
    },
  )
}

async function readStatus(service: FrameService, login: StoredSocialLogin) {
  const { keys } = service
  const { id, channel_key_id: keyId, channel } = login
  const token = keys.open('farcaster channel', [id], { keyId: keyId!, sealed: channel! })
  return readChannel(settingsOf(service).relayUrl, token).catch((error: unknown) =>
    fail(service, provider, error),
  )
}

async function verify(
  service: FrameService,
  login: StoredSocialLogin,
  {
    message,
    signature,
    username,
    language,
  }: Extract<ChannelStatus, { state: 'completed' }> & { language: FrameLanguage },
) {
  const { context } = service
  const { chain, idRegistry, keyRegistry } = settingsOf(service)
  const data = { ...networks, ...context.config.chains }[chain]
  const { client } = createEvmChain(context.chains.byId.get(chain)!, data!)
  const { domain, siweUri } = siteOf(service)
  const fid = await readSiwf(
    { message, signature },
    {
      client,
      idRegistry: idRegistry as Address,
      keyRegistry: keyRegistry as Address,
      domain,
      uri: siweUri,
      nonce: login.nonce,
      time: new Date(context.now()),
    },
  ).catch((error: unknown) => fail(service, provider, error))
  if (fid === undefined)
    throw new FrameError(403, {
      field: 'provider',
      description: 'Farcaster sent a sign-in that is not valid. Try again.',
      code: 'social_failed',
    })
  return finishLogin(
    service,
    {
      provider,
      // The registry assigns each number to one account.
      issuer: `${chain}:${idRegistry.toLowerCase()}`,
      subject: String(fid),
      email: null,
      userName: toLabel(username ?? '', maxNameLength) || `Farcaster ${fid}`,
    },
    {
      deviceId: login.device_id,
      deviceName: login.device_name,
      projectId: login.project_id,
      origin: login.origin,
      language,
      // The visitor confirms on another device, which cannot prove that this one is the visitor's. A user without an
      // address has no other way to use the wallet on a further device.
      needsCode: ({ email }) => email !== null,
    },
  )
}

/** The site to which the visitor signs in: the frame itself. */
function siteOf({ url }: FrameService) {
  return { domain: new URL(url()).host, siweUri: url() }
}

function settingsOf({ context }: FrameService) {
  const { farcaster } = context.config.socials
  if (!farcaster) throw unavailable(provider)
  return farcaster
}
