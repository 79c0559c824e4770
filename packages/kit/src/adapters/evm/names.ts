import type { Address, Client } from 'viem'
import { getEnsAddress, getEnsName } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { Network } from '../../core/networks/Network.ts'
import { getAvatar } from './avatar.ts'
import type { Evm } from './context.ts'

/**
 * The ENS name and picture of an address: from its own chain where that has names, else from
 * Ethereum, when that is configured.
 *
 * @returns nothing known where there are no names, or none that points back to the address
 */
export async function getIdentity(
  evm: Evm,
  parameters: { address: string; network: Network },
): Promise<{ name: string | undefined; avatar: string | undefined }> {
  const nobody = { name: undefined, avatar: undefined }
  const client = namesClient(evm, parameters.network)
  if (!client) return nobody
  const name = await getAction(
    client,
    getEnsName,
    'getEnsName',
  )({ address: parameters.address as Address }).catch(() => null)
  // A name written in another way than it is registered under can pose as somebody else's.
  if (!name || (await normalizeName(name)) !== name) return nobody
  return { name, avatar: await getAvatar(evm, client, name) }
}

/** The address an ENS name stands for, or nothing. */
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
    // No name at all, or none that anybody holds: both are “not found” to who typed it.
    return undefined
  }
}

/** Where names are read: the network itself, or Ethereum among the configured ones. */
function namesClient({ config }: Evm, network: Network): Client | undefined {
  const withNames = config.chains.filter(
    ({ contracts }) => contracts && 'ensUniversalResolver' in contracts,
  )
  const chain =
    withNames.find(({ id }) => id === Number(network.id)) ?? withNames.find(({ id }) => id === 1)
  return chain && config.getClient({ chainId: chain.id })
}

/** Letters, digits and hyphens: what nearly every name is made of, and normal as it stands. */
const plainName = /^(?!..--)[a-z0-9-]+(\.(?!..--)[a-z0-9-]+)*$/

/** The normal form of a name, or nothing where it has none. @see ENSIP-15 */
async function normalizeName(name: string): Promise<string | undefined> {
  if (plainName.test(name)) return name
  const { normalize } = await import('./normalize.ts')
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}
