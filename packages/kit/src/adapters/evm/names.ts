import type { Address, Client } from 'viem'
import { getEnsAddress, getEnsName } from 'viem/actions'
import { normalize } from 'viem/ens'
import { getAction } from 'viem/utils'

import type { Network } from '../../core/Network.ts'
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
  if (!name || !isNormal(name)) return nobody
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
    const name = normalize(parameters.name)
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

/** A name that is written in another way than it is registered under can pose as somebody else's. */
function isNormal(name: string): boolean {
  try {
    return normalize(name) === name
  } catch {
    return false
  }
}
