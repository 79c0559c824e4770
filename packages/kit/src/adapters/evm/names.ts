import type { Address, Client } from 'viem'
import { getEnsAddress, getEnsName } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { Network } from '../../core/networks/Network.ts'
import { getAvatar } from './avatar.ts'
import type { Evm } from './context.ts'
import { plainName } from './identity.ts'

/**
 * The primary ENS name and avatar of an address: from the given network if it has ENS, otherwise from
 * Ethereum if it is configured.
 *
 * @returns undefined fields if neither network has ENS, if no name resolves back to the address, or if the
 * name is not normalized
 */
export async function readIdentity(
  evm: Evm,
  parameters: { address: string; network: Network },
): Promise<{ name: string | undefined; avatar: string | undefined }> {
  const unknown = { name: undefined, avatar: undefined }
  const client = namesClient(evm, parameters.network)
  if (!client) return unknown
  const name = await getAction(
    client,
    getEnsName,
    'getEnsName',
  )({ address: parameters.address as Address }).catch(() => null)
  // A name that is not normalized can look like another name. @see docs/threats.md#impersonating-names
  if (!name || (await normalizeName(name)) !== name) return unknown
  return { name, avatar: await getAvatar(evm, client, name) }
}

/** Resolves an ENS name to its address. */
export async function resolveName(
  evm: Evm,
  parameters: { name: string; network: Network },
): Promise<string | undefined> {
  const client = namesClient(evm, parameters.network)
  if (!client) return undefined
  try {
    const name = await normalizeName(parameters.name)
    if (!name) return undefined
    return (await getAction(client, getEnsAddress, 'getEnsAddress')({ name })) ?? undefined
  } catch {
    // A failed lookup counts as “not found”, like an invalid or unregistered name.
    return undefined
  }
}

/** The client for ENS: the network's or, if that has no ENS, Ethereum's. */
function namesClient({ config }: Evm, network: Network): Client | undefined {
  const withNames = config.chains.filter(
    ({ contracts }) => contracts && 'ensUniversalResolver' in contracts,
  )
  const chain =
    withNames.find(({ id }) => id === Number(network.id)) ?? withNames.find(({ id }) => id === 1)
  return chain && config.getClient({ chainId: chain.id })
}

/** The normalized name; undefined if it is invalid. @see ENSIP-15 */
async function normalizeName(name: string): Promise<string | undefined> {
  if (plainName.test(name)) return name
  const { normalize } = await import('./normalize.ts')
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}
