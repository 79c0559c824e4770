import { parseAbi } from 'viem'
import type { Address, Client } from 'viem'
import { getEnsAvatar, getEnsText, readContract } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { Evm } from './context.ts'
import { isFromKnownHost } from './identity.ts'

const tokenAbi = parseAbi([
  'function tokenURI(uint256 id) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

/**
 * The avatar of an ENS name: the URL in its record, or the image of the token that the record refers
 * to. Without `remoteAvatars`, only images from hosts that the page contacts anyway are used, so that
 * no third party learns of the visit.
 *
 * @see ENSIP-12
 */
export async function getAvatar(
  evm: Evm,
  client: Client,
  name: string,
): Promise<string | undefined> {
  try {
    if (evm.options.remoteAvatars)
      return (await getAction(client, getEnsAvatar, 'getEnsAvatar')({ name })) ?? undefined
    const record = await getAction(client, getEnsText, 'getEnsText')({ name, key: 'avatar' })
    if (!record) return undefined
    const picture = record.startsWith('eip155:') ? await tokenImage(evm, record) : record
    return picture && isFromKnownHost(evm, picture) ? picture : undefined
  } catch {
    // The avatar is optional: a failure must not break the identity.
    return undefined
  }
}

/** The image of a token whose metadata is stored on chain as a data URI. @see CAIP-22, CAIP-29 */
async function tokenImage({ config }: Evm, record: string): Promise<string | undefined> {
  const [, chain, kind, contract, token] =
    /^eip155:(\d+)\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d+)$/i.exec(record) ?? []
  const chainId = Number(chain)
  if (!token || !config.chains.some(({ id }) => id === chainId)) return undefined
  const metadata = await getAction(
    config.getClient({ chainId }),
    readContract,
    'readContract',
  )({
    abi: tokenAbi,
    address: contract as Address,
    functionName: kind?.toLowerCase() === 'erc721' ? 'tokenURI' : 'uri',
    args: [BigInt(token)],
  })
  const [head = '', ...body] = metadata.split(',')
  if (!head.startsWith('data:application/json')) return undefined
  const { image } = JSON.parse(decode(body.join(','), head.endsWith(';base64'))) as {
    image?: unknown
  }
  return typeof image === 'string' ? image : undefined
}

function decode(text: string, base64: boolean): string {
  if (!base64) return decodeURIComponent(text)
  return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}
