import {
  nativeTokenAddress,
  type HistoryTransaction,
  type HistoryTransfer,
} from '@gatefold/protocol/gateway'
import { formatUnits, getAddress, zeroAddress, type Address } from 'viem'
import type { HttpContext } from '../../http/access.ts'
import { findListed, type Token } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Nfts } from '../nfts/createNfts.ts'
import { iconOf, toCaip } from '../requests.ts'
import type { Approval, Entry, Transfer } from './HistorySource.ts'
import { operationType } from './operationType.ts'

type Services = Pick<MoneyContext, 'tokens' | 'prices'> & Pick<Nfts, 'collections'>

/** Creates a function that adds names, images and current prices to entries, for a response. */
export function createToTransactions({ collections, tokens, prices }: Services) {
  /** Names that cannot be read are left out rather than failing the page. */
  return async (
    c: HttpContext,
    chain: EvmChain,
    account: Address,
    entries: readonly Entry[],
  ): Promise<HistoryTransaction[]> =>
    Promise.all(
      entries.map(async (entry) => {
        const transfers = await Promise.all(
          shownTransfers(entry, account).map(async (transfer) =>
            toTransfer(c, { chain, account, entry, transfer }),
          ),
        )
        const { created, from, hash, isFailed, minedAt, nonce, to } = entry
        return {
          id: hash,
          metadata: {
            operationType: operationType(entry, account),
            hash,
            chain: chain.id,
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

  async function toTransfer(
    c: HttpContext,
    shown: { chain: EvmChain; account: Address; entry: Entry; transfer: Shown },
  ): Promise<HistoryTransfer> {
    const { account, chain, entry, transfer } = shown
    const { amount, direction, token: contract } = transfer
    if (contract && isNft(transfer)) {
      const name = await collections.nameOf(chain, contract).catch(() => '')
      const { tokenId } = transfer
      return {
        nft_info: {
          name: [name || 'NFT', ...(tokenId === undefined ? [] : [`#${tokenId}`])].join(' '),
          flags: { is_spam: isUnrequested(entry, transfer, account) },
          contract: toCaip(chain, getAddress(contract)),
          token_id: tokenId ?? '',
        },
        direction,
        quantity: { numeric: amount },
      }
    }
    const token: Omit<Token, 'address'> | undefined = contract
      ? await tokens.find(chain, contract).catch(() => undefined)
      : chain.data.nativeCurrency
    // A contract without decimals is not a token, but it can report transfers.
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
    const price = await prices.find(chain, contract ?? nativeTokenAddress).catch(() => undefined)
    const isMoved = !('spender' in transfer)
    const isListed = !contract || findListed(chain.data, contract) !== undefined
    return {
      fungible_info: {
        name: token.name,
        symbol: token.symbol,
        icon: { url: iconOf(c, chain, { ...token, address: contract }) },
        flags: { is_spam: !isListed && price === undefined },
      },
      direction,
      quantity: { numeric },
      ...(price !== undefined && { price }),
      ...(price !== undefined && isMoved && { value: Number(numeric) * price }),
    }
  }
}

type Shown = Pick<Transfer, 'standard' | 'token' | 'amount' | 'tokenId'> &
  Partial<Pick<Transfer, 'from'> & Pick<Approval, 'spender'>> & {
    direction: HistoryTransfer['direction']
  }

/**
 * The transfers of an entry. Without one, what it approved, otherwise the amount of the native currency that it sent,
 * which may be 0: official clients leave out a transaction without transfers.
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

function isNft({ standard }: Shown): boolean {
  return standard === 'erc721' || standard === 'erc1155'
}

/** Whether an NFT was sent to the account by someone who neither owned it nor is the account: a mass mailing. */
function isUnrequested(entry: Entry, transfer: Shown, account: Address): boolean {
  return transfer.direction === 'in' && entry.from !== account && entry.from !== transfer.from
}
