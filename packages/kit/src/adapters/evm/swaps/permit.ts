import { domainSeparator, parseAbi } from 'viem'
import type { Address } from 'viem'
import { getCode, readContract } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { PermitTerms, TokenOwner } from '../../../core/connection/Adapter.ts'
import { isSmartAccount } from '../../../core/connection/isSmartAccount.ts'
import { findConnection } from '../context.ts'
import type { Evm } from '../context.ts'
import { readClient } from '../transactions.ts'

/** The functions of ERC-2612, and those that return a token's domain. */
const permitAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The version of most tokens without a function `version`. */
const defaultVersion = '1'

/**
 * Reads the domain and nonce for a permit of a token. The domain is compared
 * with the token's own `DOMAIN_SEPARATOR`, so that the signature is valid only
 * for this token on this network.
 *
 * @returns undefined if the token does not support permits or has another
 *   domain, if the account is a contract or will become one, and cannot sign a
 *   permit, or if the network could not be read
 * @see ERC-2612
 */
export async function readPermit(
  evm: Evm,
  { token, owner, network }: TokenOwner,
): Promise<PermitTerms | undefined> {
  const client = readClient(evm, network.id)
  if (!client) return undefined
  // Before its first operation, a smart account has no code.
  const { connector } = findConnection(evm) ?? {}
  const session = connector && evm.context.session(connector.id)
  if (isSmartAccount(session, { address: owner, caipNetworkId: network.caipNetworkId }))
    return undefined
  const contract = { address: token as Address, abi: permitAbi }
  const read = getAction(client, readContract, 'readContract')
  try {
    const [name, version, nonce, separator, code] = await Promise.all([
      read({ ...contract, functionName: 'name' }),
      read({ ...contract, functionName: 'version' }).catch(() => defaultVersion),
      read({ ...contract, functionName: 'nonces', args: [owner as Address] }),
      read({ ...contract, functionName: 'DOMAIN_SEPARATOR' }),
      getAction(client, getCode, 'getCode')({ address: owner as Address }),
    ])
    const domain = {
      name,
      version,
      chainId: Number(network.id),
      verifyingContract: contract.address,
    }
    if (code !== undefined || domainSeparator({ domain }) !== separator) return undefined
    return { domain, nonce }
  } catch {
    // Without a permit, an approval is sent instead.
    return undefined
  }
}
