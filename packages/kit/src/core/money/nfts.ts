import { CaipAddress } from '@gatefold/protocol'
import type { Nft as GatewayNft, NftsResponse } from '@gatefold/protocol/gateway'

import { current } from '../account/balance.ts'
import type { FamilyParameters } from '../connection/account.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import type { Network } from '../networks/Network.ts'
import { imageOf, maxText, requireGateway, textOf } from './fromGateway.ts'

/**
 * An NFT that an account owns. Its texts are untrusted: show them as plain
 * text, and do not open links in them.
 */
export type Nft = {
  /** The CAIP-19 id, such as `eip155:1/erc721:0x…/1`. */
  id: string
  /** The network. */
  network: Network
  /** Address of its contract. */
  address: string
  /** The id of the token in its contract, as a whole number of up to 78 digits. */
  tokenId: string
  /** The amount that the account owns, as a whole number. */
  amount: string
  /** The name. */
  name: string
  /** The name of the collection; empty if its contract has none. */
  collection: string
  /** The description; empty if there is none. */
  description: string
  /** The properties that its metadata lists. */
  attributes: readonly NftAttribute[]
  /**
   * URL of the picture on the gateway, at most 256 pixels wide and high; `&size=` with 64, 128 or 512 selects another
   * size. Undefined if there is none.
   */
  image: string | undefined
  /** Whether its texts look like advertising. */
  isSpam: boolean
}

/** A property of an NFT, such as its color. */
export type NftAttribute = {
  /** The name of the property. */
  name: string
  /** The value. */
  value: string
}

/** The networks that have more NFTs, by CAIP-2 id, with the gateway's cursor for each. */
export type NftCursor = Readonly<Record<string, string>>

/** A page of an account's NFTs. */
export type NftPage = {
  /** The NFTs, network by network; a page may be empty although there is a next one. */
  nfts: readonly Nft[]
  /** Selects the next page; undefined on the last one. */
  next: NftCursor | undefined
  /** The networks that could not be read. */
  failed: readonly Network[]
}

/**
 * The networks that each gateway refused. They are not requested again until
 * the page is reloaded.
 */
const refused = new WeakMap<GatewayClient, Set<string>>()

/** Maximum number of attributes that are kept per NFT. */
const maxAttributes = 50

/**
 * A page of the NFTs of the active account on all of the site's networks of its
 * chain family, from the gateway. Each network is requested separately;
 * networks that the gateway does not serve have no NFTs.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {GatewayError} there is no gateway, or it failed for every network; with the status 404, it does not list NFTs
 */
export async function getNfts(kit: Kit, parameters: getNfts.Parameters = {}): Promise<NftPage> {
  const { account } = current(kit, parameters.namespace)
  const gateway = await requireGateway(kit)
  const { cursor, signal } = parameters
  const { gateway: origin } = instanceOf(kit).options.endpoints
  const networks = kit
    .getState()
    .networks.filter(
      ({ chainNamespace, caipNetworkId }) =>
        chainNamespace === account.namespace && (!cursor || Object.hasOwn(cursor, caipNetworkId)),
    )
  const results = await Promise.allSettled(
    networks.map(async (network) =>
      readPage(gateway, {
        address: account.address,
        network,
        cursor: cursor?.[network.caipNetworkId],
        origin,
        signal,
      }),
    ),
  )
  const failed = networks.filter((_, index) => results[index]?.status === 'rejected')
  const [reason] = results.flatMap((it) => (it.status === 'rejected' ? [it.reason as unknown] : []))
  if (failed.length > 0 && failed.length === networks.length) throw reason
  const pages = results.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
  const next = Object.fromEntries(pages.flatMap(({ id, next }) => (next ? [[id, next]] : [])))
  return {
    nfts: pages.flatMap(({ nfts }) => nfts),
    next: Object.keys(next).length > 0 ? next : undefined,
    failed,
  }
}

export declare namespace getNfts {
  /** Which page. */
  type Parameters = FamilyParameters & {
    /** `next` of the previous page. */
    cursor?: NftCursor | undefined
    /** Aborts the requests. */
    signal?: AbortSignal | undefined
  }
}

type NetworkPage = { id: string; nfts: readonly Nft[]; next: string | undefined }

async function readPage(
  gateway: GatewayClient,
  query: {
    address: string
    network: Network
    cursor: string | undefined
    origin: string | undefined
    signal: AbortSignal | undefined
  },
): Promise<NetworkPage> {
  const { network, cursor, signal } = query
  const id = network.caipNetworkId
  const known = refused.get(gateway) ?? new Set()
  refused.set(gateway, known)
  if (known.has(id)) return { id, nfts: [], next: undefined }
  let body: Loose<NftsResponse>
  try {
    body = await gateway.request(`/v1/account/${encodeURIComponent(query.address)}/nfts`, {
      query: { chainId: id, cursor },
      signal,
    })
  } catch (error) {
    if (!isNotServed(error)) throw error
    known.add(id)
    return { id, nfts: [], next: undefined }
  }
  if (!Array.isArray(body.nfts))
    throw new GatewayError('The gateway sent a malformed list of NFTs.')
  return {
    id,
    nfts: body.nfts.flatMap((nft) => toNft(nft, network, query.origin) ?? []),
    next: typeof body.nextCursor === 'string' ? body.nextCursor : undefined,
  }
}

/** Whether the gateway refused the chain. */
function isNotServed(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 400 && error.field === 'chainId'
}

/** An NFT of the response; undefined if it is malformed or on another network. */
function toNft(value: unknown, network: Network, gateway: string | undefined): Nft | undefined {
  const { id, contract, tokenId, amount, ...nft } = (value ?? {}) as Loose<GatewayNft>
  if (
    typeof id !== 'string' ||
    !id.startsWith(`${network.caipNetworkId}/`) ||
    typeof contract !== 'string' ||
    !isWhole(tokenId) ||
    !isWhole(amount)
  )
    return undefined
  const collection = textOf(nft.collection, maxText.nft)
  return {
    id,
    network,
    address: CaipAddress.toAddress(contract),
    tokenId,
    amount,
    name: textOf(nft.name, maxText.nft) || `${collection} #${tokenId}`.trim(),
    collection,
    description: textOf(nft.description, maxText.description),
    attributes: toAttributes(nft.attributes),
    image: imageOf(nft.imageUrl, gateway),
    isSpam: nft.isSpam === true,
  }
}

function toAttributes(value: unknown): readonly NftAttribute[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxAttributes).flatMap((item: unknown) => {
    const attribute = (item ?? {}) as Loose<NftAttribute>
    const name = textOf(attribute.name, maxText.nft)
    const text = textOf(attribute.value, maxText.nft)
    return name && text ? [{ name, value: text }] : []
  })
}

function isWhole(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,78}$/.test(value)
}

/** An object of the response whose fields are not validated yet. */
type Loose<value> = { [key in keyof value]?: unknown }
