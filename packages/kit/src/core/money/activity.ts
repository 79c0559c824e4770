import type {
  HistoryResponse,
  HistoryTransaction,
  HistoryTransfer,
  OperationType,
} from '@gatefold/protocol/gateway'

import { current } from '../account/balance.ts'
import type { FamilyParameters } from '../connection/account.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import type { Network } from '../networks/Network.ts'
import type { Transfer } from './ActivityTransfer.ts'
import { servedCurrency } from './currency.ts'
import { fromNumber } from './decimal.ts'
import { imageOf, maxText, requireGateway, textOf } from './fromGateway.ts'

/** A transaction of an account. */
export type Activity = {
  /** Unique in the list. */
  id: string
  /** What the transaction did for the account. */
  type: OperationType
  /** Whether it succeeded. */
  status: 'confirmed' | 'failed'
  /** The transaction's hash. */
  hash: string
  /** The network. */
  network: Network
  /** When it was included in a block, as Unix time in ms. */
  time: number
  /** The sender's address. */
  from: string
  /** The receiver's address; the created contract for a deployment. */
  to: string
  /**
   * The amounts that it moved to or from the account, or approved; never empty.
   */
  transfers: readonly Transfer[]
  /** Whether it moved only unsolicited tokens. */
  isSpam: boolean
}

/** A page of an account's activity. */
export type ActivityPage = {
  /** The transactions, newest first. */
  activities: readonly Activity[]
  /** The cursor of the next page; undefined on the last one. */
  next: string | undefined
  /** The currency of values, as an ISO 4217 code. */
  currency: string
}

const operations = new Set<unknown>([
  'approve',
  'burn',
  'cancel',
  'deploy',
  'deposit',
  'execute',
  'mint',
  'receive',
  'send',
  'trade',
  'withdraw',
] satisfies OperationType[])

/** Maximum number of transfers that are kept per transaction. */
const maxTransfers = 20

/**
 * A page of the transactions of the active account on the active network, newest first, from the gateway. Values are in
 * the visitor's currency or, if the gateway has no prices in it, in US dollars.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getActivity(
  kit: Kit,
  parameters: getActivity.Parameters = {},
): Promise<ActivityPage> {
  const { account, network } = current(kit, parameters.namespace)
  const gateway = await requireGateway(kit)
  const currency = await servedCurrency(kit, parameters.currency)
  const body: { [key in keyof HistoryResponse]?: unknown } = await gateway.request(
    `/v1/account/${encodeURIComponent(account.address)}/history`,
    {
      query: {
        chainId: network.caipNetworkId,
        currency: currency.toLowerCase(),
        cursor: parameters.cursor,
      },
      signal: parameters.signal,
    },
  )
  if (!Array.isArray(body.data)) throw new GatewayError('The gateway sent a malformed history.')
  const { gateway: origin } = instanceOf(kit).options.endpoints
  // An older gateway ignores the currency.
  const hasValues = body.currency === currency && !network.testnet
  return {
    activities: body.data.flatMap((item) => toActivity(item, network, { origin, hasValues }) ?? []),
    currency,
    next: typeof body.next === 'string' && body.next !== '' ? body.next : undefined,
  }
}

export declare namespace getActivity {
  /** Which page. */
  type Parameters = FamilyParameters & {
    /** `next` of the previous page. */
    cursor?: string | undefined
    /** The currency of values, as an ISO 4217 code; by default the visitor's choice. */
    currency?: string | undefined
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/** A transaction of the response; undefined if it is malformed or on another network. @see spec §9.3.2 */
function toActivity(value: unknown, network: Network, gateway: Source): Activity | undefined {
  const { id, metadata, transfers } = (value ?? {}) as Loose<HistoryTransaction>
  const data = (metadata ?? {}) as Loose<HistoryTransaction['metadata']>
  const time = typeof data.minedAt === 'string' ? Date.parse(data.minedAt) : Number.NaN
  if (
    typeof id !== 'string' ||
    typeof data.hash !== 'string' ||
    data.chain !== network.caipNetworkId ||
    !operations.has(data.operationType) ||
    Number.isNaN(time) ||
    !Array.isArray(transfers)
  )
    return undefined
  const read = transfers
    .slice(0, maxTransfers)
    .flatMap((transfer) => toTransfer(transfer, gateway) ?? [])
  if (read.length === 0) return undefined
  return {
    id,
    type: data.operationType as OperationType,
    status: data.status === 'failed' ? 'failed' : 'confirmed',
    hash: data.hash,
    network,
    time,
    from: typeof data.sentFrom === 'string' ? data.sentFrom : '',
    to: typeof data.sentTo === 'string' ? data.sentTo : '',
    transfers: read.map(({ transfer }) => transfer),
    isSpam: read.every(({ isSpam }) => isSpam),
  }
}

/** The gateway that sent a response. */
type Source = {
  origin: string | undefined
  /** Whether its values are in the requested currency, and shown. */
  hasValues: boolean
}

function toTransfer(
  value: unknown,
  { origin, hasValues }: Source,
): { transfer: Transfer; isSpam: boolean } | undefined {
  const {
    fungible_info: fungible,
    nft_info: nft,
    direction,
    quantity,
    value: worth,
  } = (value ?? {}) as Loose<HistoryTransfer>
  const { numeric } = (quantity ?? {}) as { numeric?: unknown }
  const token = (fungible ?? {}) as Loose<NonNullable<HistoryTransfer['fungible_info']>>
  const item = (nft ?? {}) as Loose<NonNullable<HistoryTransfer['nft_info']>>
  const name = nft ? textOf(item.name, maxText.name) : textOf(token.symbol, maxText.symbol)
  const { is_spam: isSpam } = ((nft ? item.flags : token.flags) ?? {}) as { is_spam?: unknown }
  if (
    name === '' ||
    typeof numeric !== 'string' ||
    !/^\d{1,90}(\.\d{1,90})?$/.test(numeric) ||
    (direction !== 'in' && direction !== 'out' && direction !== 'self')
  )
    return undefined
  const { preview } = (item.content ?? {}) as { preview?: { url?: unknown } | null }
  const { url } = ((nft ? preview : token.icon) ?? {}) as { url?: unknown }
  return {
    transfer: {
      direction,
      name,
      amount: numeric,
      isNft: Boolean(nft),
      image: imageOf(url, origin),
      value: hasValues ? fromNumber(worth) : undefined,
    },
    isSpam: isSpam === true,
  }
}

/** An object of the response whose fields are not validated yet. */
type Loose<value> = { [key in keyof value]?: unknown }
