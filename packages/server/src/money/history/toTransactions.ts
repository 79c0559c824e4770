import {
  nativeTokenAddress,
  type HistoryResponse,
  type HistoryTransaction,
  type HistoryTransfer,
} from '@gatefold/protocol/gateway'
import { formatUnits, getAddress, zeroAddress, type Address } from 'viem'
import type { HttpContext } from '../../http/access.ts'
import { findListed, type Token } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import { createDeadline, type Deadline } from '../createDeadline.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Nfts } from '../nfts/createNfts.ts'
import { toImageUrl } from '../nfts/images/toImageUrl.ts'
import type { NftToken } from '../nfts/NftToken.ts'
import { iconOf, toCaip } from '../requests.ts'
import type { Approval, Entry, Transfer } from './HistorySource.ts'
import { operationType } from './operationType.ts'

type Services = Pick<MoneyContext, 'tokens' | 'prices' | 'rates'> &
  Pick<Nfts, 'collections' | 'metadata'>

type Missing = NonNullable<HistoryResponse['missing']>[number]

/** How long a response waits for the images of NFTs. */
const pictureWaitMs = 1_000

/**
 * Creates a function that adds names, images and prices at the time of the transaction to the entries of a response.
 */
export function createToTransactions(services: Services) {
  const { collections, metadata, tokens, prices, rates } = services

  /**
   * Names and prices that cannot be read in time are omitted and listed in
   * `missing`.
   */
  return async (
    c: HttpContext,
    shown: {
      chain: EvmChain
      account: Address
      entries: readonly Entry[]
      currency: string
      deadline: Deadline
    },
  ): Promise<Pick<HistoryResponse, 'data' | 'missing'>> => {
    const { account, entries } = shown
    const pictures = createDeadline(pictureWaitMs)
    const missing = new Set<Missing>()
    const transactions = await Promise.all(
      entries.map(async (entry) => {
        const transfers = await Promise.all(
          shownTransfers(entry, account).map(async (transfer) =>
            toTransfer(c, { ...shown, entry, transfer, pictures, missing }),
          ),
        )
        const { created, from, hash, isFailed, minedAt, nonce, to } = entry
        return {
          id: hash,
          metadata: {
            operationType: operationType(entry, account),
            hash,
            chain: shown.chain.id,
            minedAt: new Date(minedAt).toISOString(),
            sentFrom: getAddress(from),
            sentTo: getAddress(to ?? created ?? zeroAddress),
            status: isFailed ? 'failed' : 'confirmed',
            nonce,
          },
          transfers,
        } satisfies HistoryTransaction
      }),
    )
    pictures.end()
    return { data: transactions, ...(missing.size > 0 && { missing: [...missing] }) }
  }

  async function toTransfer(
    c: HttpContext,
    shown: {
      chain: EvmChain
      account: Address
      entry: Entry
      transfer: Shown
      currency: string
      deadline: Deadline
      pictures: Deadline
      missing: Set<Missing>
    },
  ): Promise<HistoryTransfer> {
    const { account, chain, currency, deadline, entry, missing, pictures, transfer } = shown
    const readOrMiss = async <Result>(what: Missing, work: Promise<Result>) =>
      deadline.race(work).catch(() => {
        missing.add(what)
        return undefined
      })
    const { amount, direction, token: contract } = transfer
    if (contract && isNft(transfer)) {
      const name = await readOrMiss('names', collections.nameOf(chain, contract))
      const { tokenId } = transfer
      const isSpam = isUnrequested(entry, transfer, account)
      const token = isSpam ? undefined : toNftToken(transfer)
      const found =
        token && (await pictures.race(findMetadata(chain, token)).catch(() => undefined))
      const url = found?.image !== undefined && toImageUrl(c, chain, token!, found.image)
      return {
        nft_info: {
          name: [name || 'NFT', ...(tokenId === undefined ? [] : [`#${tokenId}`])].join(' '),
          flags: { is_spam: isSpam },
          ...(url && { content: { preview: { url: `${url}&size=128` }, detail: { url } } }),
          contract: toCaip(chain, getAddress(contract)),
          token_id: tokenId ?? '',
        },
        direction,
        quantity: { numeric: amount },
      }
    }
    const token: Omit<Token, 'address'> | undefined = contract
      ? await readOrMiss('names', tokens.find(chain, contract))
      : chain.data.nativeCurrency
    // A contract without decimals is not a token, but can emit transfer events.
    if (!token)
      return {
        fungible_info: {
          name: contract ?? '',
          symbol: '?',
          icon: { url: '' },
          flags: { is_spam: true },
        },
        direction,
        quantity: { numeric: amount },
      }
    const numeric = formatUnits(BigInt(amount), token.decimals)
    const address = contract ?? nativeTokenAddress
    const [current, dollars, rate] = await Promise.all([
      readOrMiss('prices', prices.find(chain, address)),
      readOrMiss('prices', prices.findAt(chain, address, entry.minedAt)),
      readOrMiss('prices', rates.findAt(currency, entry.minedAt)),
    ])
    const price = dollars === undefined || rate === undefined ? undefined : dollars * rate
    const isMoved = !('spender' in transfer)
    const isListed = !contract || findListed(chain.data, contract) !== undefined
    return {
      fungible_info: {
        name: token.name,
        symbol: token.symbol,
        icon: { url: iconOf(c, chain, { ...token, address: contract }) },
        flags: { is_spam: !isListed && current === undefined && !missing.has('prices') },
      },
      direction,
      quantity: { numeric },
      ...(price !== undefined && { price }),
      ...(price !== undefined && isMoved && { value: Number(numeric) * price }),
    }
  }

  /** The metadata of an NFT; undefined if it cannot be read. */
  async function findMetadata(chain: EvmChain, token: NftToken) {
    const result = await metadata.find(chain, token).catch(() => undefined)
    return result && 'metadata' in result ? result.metadata : undefined
  }
}

type Shown = Pick<Transfer, 'standard' | 'token' | 'amount' | 'tokenId'> &
  Partial<Pick<Transfer, 'from'> & Pick<Approval, 'spender'>> & {
    direction: HistoryTransfer['direction']
  }

/**
 * The transfers of an entry. If there are none, the approved amount, otherwise
 * the amount of the native currency that was sent, which may be 0, because
 * official clients omit transactions without transfers.
 */
function shownTransfers(entry: Entry, account: Address): Shown[] {
  const { approvals, transfers, value } = entry
  if (transfers.length > 0)
    return transfers.map((transfer) => ({ ...transfer, direction: directionOf(transfer, account) }))
  if (approvals.length > 0) return approvals.map(toShown)
  return [{ standard: 'native', amount: value, direction: entry.to === account ? 'self' : 'out' }]
}

function toShown(approval: Approval): Shown {
  return { ...approval, direction: 'self' }
}

function directionOf({ from, to }: Transfer, account: Address): HistoryTransfer['direction'] {
  if (from === to) return 'self'
  return to === account ? 'in' : 'out'
}

function toNftToken({ standard, token, tokenId }: Shown): NftToken | undefined {
  if (!token || tokenId === undefined) return undefined
  if (standard !== 'erc721' && standard !== 'erc1155') return undefined
  return { standard, contract: token, tokenId: BigInt(tokenId) }
}

function isNft({ standard }: Shown): boolean {
  return standard === 'erc721' || standard === 'erc1155'
}

/**
 * Whether an NFT was sent to the account by someone who neither owned it nor is
 * the account, as in mass mailings.
 */
function isUnrequested(entry: Entry, transfer: Shown, account: Address): boolean {
  return transfer.direction === 'in' && entry.from !== account && entry.from !== transfer.from
}
