import { isAddress, limits } from '@gatefold/protocol'
import type { IdentityResponse } from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { getEnsName, getEnsText } from 'viem/actions'
import { enter, type HttpContext } from '../http/access.ts'
import type { MoneyContext } from './context.ts'
import { createDeadline } from './createDeadline.ts'
import type { EvmChain } from './evm/createEvmChain.ts'
import { isOffchainLookup, isRevert } from './evm/errors.ts'
import { findNames } from './names/reverse.ts'
import { json, RefusedError, requestCost } from './requests.ts'

/** How many identities are cached. */
const cachedIdentities = 10_000
/** How long a response waits for the avatar once it has the name. */
const avatarWaitMs = 2_500
/** Maximum length of an avatar's URL. */
const maxUrlLength = 2_000

const unknown: IdentityResponse = { name: null, avatar: null }

/**
 * `GET /v1/identity/{address}`: the primary ENS name of an account, and the name's avatar if that is an https URL.
 * Without an ENS name, the account's name in the registry. Both are null if there is no name, and for accounts that are
 * not on EVM chains. `missing` lists what a client with access to the chain could still read.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.2, §9.1.3
 */
export function getIdentity(context: MoneyContext) {
  const { evmChains, now } = context
  const ens = [...evmChains.values()].find(({ data }) => data.ensUniversalResolver !== undefined)
  const identities = new LRUCache<string, IdentityResponse, [EvmChain, Address]>({
    max: cachedIdentities,
    ttl: limits.identityCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: [chain, address], options }) => {
      const { isComplete, ...identity } = await readIdentity(chain, address)
      // Read again by the next request.
      if (!isComplete) options.ttl = 1
      return identity
    },
  })

  return async (c: HttpContext): Promise<Response> => {
    const project = await enter(context, c, { refusedOrigin: 401, cost: requestCost })
    if (project instanceof Response) return project
    const address = c.req.param('address') ?? ''
    if (!/^0x[0-9a-f]{40}$/i.test(address)) {
      if (isAddress(address, 'solana')) return json(unknown)
      throw new RefusedError('address', 'address is not an account')
    }
    const key = address.toLowerCase() as Address
    let identity = ens && (await identities.fetch(key, { context: [ens, key] }))
    const isFixed = identity?.name && !identity.missing
    if (!identity?.name) {
      const [registered] = await findNames(context, project, key)
      identity = { ...identity, name: registered?.name ?? null, avatar: null }
    }
    // An account can register a name at any time.
    const seconds = isFixed ? limits.identityCacheMs / 1000 : 0
    return json(identity, 200, { 'cache-control': `private, max-age=${seconds}` })
  }
}

/**
 * Reads an identity. @returns `isComplete`: whether everything that the server
 * can read was read
 */
async function readIdentity(
  { client }: EvmChain,
  address: Address,
): Promise<IdentityResponse & { isComplete: boolean }> {
  const missing: ('name' | 'avatar')[] = []
  const name = await getEnsName(client, { address }).catch((error: unknown) => {
    // The server sends no requests to hosts that the owner of a name chooses.
    if (isOffchainLookup(error)) missing.push('name')
    return nullIfReverted(error)
  })
  if (!name) return { ...unknown, ...(missing.length > 0 && { missing }), isComplete: true }
  const deadline = createDeadline(avatarWaitMs)
  const read = getEnsText(client, { name, key: 'avatar' }).catch(nullIfReverted)
  const text = await deadline
    .race(read)
    .catch(() => undefined)
    .finally(deadline.end)
  if (text === undefined) return { name, avatar: null, missing: ['avatar'], isComplete: false }
  if (text === null || text === '') return { name, avatar: null, isComplete: true }
  const isUrl = text.startsWith('https://') && text.length <= maxUrlLength && URL.canParse(text)
  return isUrl
    ? { name, avatar: text, isComplete: true }
    : { name, avatar: null, missing: ['avatar'], isComplete: true }
}

/** A name that cannot be resolved counts as no name. A chain that cannot be read is an error. */
function nullIfReverted(error: unknown): null {
  if (isRevert(error)) return null
  throw error
}
