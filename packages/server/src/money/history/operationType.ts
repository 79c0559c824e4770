import type { OperationType } from '@gatefold/protocol/gateway'
import { zeroAddress, type Address } from 'viem'
import type { Entry, Transfer } from './HistorySource.ts'

/**
 * What a transaction did for an account, as a word that official clients know.
 *
 * @param account - lower case.
 */
export function operationType(entry: Entry, account: Address): OperationType {
  const { approvals, from, isCall, to, transfers } = entry
  const isSender = from === account
  if (to === null && isSender) return 'deploy'
  const incoming = transfers.filter((transfer) => transfer.to === account)
  const outgoing = transfers.filter((transfer) => transfer.from === account)
  if (incoming.length > 0 && outgoing.length > 0) {
    if (transfers.every((transfer) => transfer.from === transfer.to)) return 'send'
    if (incoming.every(isMinted))
      return incoming.some(({ tokenId }) => tokenId !== undefined) ? 'mint' : 'deposit'
    return outgoing.every(isBurnt) ? 'withdraw' : 'trade'
  }
  if (incoming.length > 0) return isSender && incoming.every(isMinted) ? 'mint' : 'receive'
  if (outgoing.length > 0) {
    if (outgoing.every(isBurnt)) return 'burn'
    const isPayment = outgoing.every(({ standard }) => standard === 'native') && isCall
    return isSender && isPayment ? 'execute' : 'send'
  }
  if (approvals.length > 0) return 'approve'
  if (isCall) return 'execute'
  // An empty transaction to oneself cancels a pending one.
  return to === account && entry.value === '0' ? 'cancel' : 'send'
}

function isMinted({ from }: Transfer): boolean {
  return from === zeroAddress
}

function isBurnt({ to }: Transfer): boolean {
  return to === zeroAddress
}
