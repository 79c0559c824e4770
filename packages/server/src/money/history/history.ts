import { limits } from '@gatefold/protocol'
import { EvmAddress, HistoryQuery, type HistoryResponse } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import type { Address } from 'viem'
import { addressOf } from '../../http/access.ts'
import type { MoneyContext } from '../context.ts'
import { createDeadline } from '../createDeadline.ts'
import type { Nfts } from '../nfts/createNfts.ts'
import {
  handleQuery,
  json,
  refuse,
  RefusedError,
  requireChain,
  requireCurrency,
} from '../requests.ts'
import { HistoryUnavailableError } from './HistorySource.ts'
import { createToTransactions } from './toTransactions.ts'

/**
 * `GET /v1/account/{address}/history`: the transactions of an account on one chain, newest first. The first request for
 * an account makes the server index it.
 *
 * @see docs/gateway.md#history; spec §3.9.1, §7.8.3, §9.3.2
 */
export function getHistory(context: MoneyContext, nfts: Pick<Nfts, 'collections' | 'metadata'>) {
  const { history } = context
  const toTransactions = createToTransactions({ ...context, ...nfts })

  return handleQuery(context, HistoryQuery, async ({ chainId, currency, cursor }, c, project) => {
    const address = v.safeParse(EvmAddress, c.req.param('address'))
    if (!address.success) throw new RefusedError('address', `address ${address.issues[0].message}`)
    const account = address.output.toLowerCase() as Address
    const chain = requireChain(context, chainId)
    requireCurrency(context, currency)
    const source = history.sources.get(chainId)
    if (!source)
      throw new RefusedError(
        'chainId',
        `chainId: the server has no history of ${chainId}; chains with a history: ${[...history.sources.keys()].join(', ')}`,
      )
    const payer = { address: addressOf(context, c), project: project.id }
    const watched = await history.admit(chainId, account, payer)
    if (watched === 'limited')
      return refuse(
        429,
        { field: 'address', description: 'too many new accounts; try again later' },
        { 'retry-after': '60' },
      )
    if (watched === 'full')
      return refuse(
        503,
        {
          field: 'address',
          description: 'the server already indexes the maximum number of accounts',
        },
        { 'retry-after': '600' },
      )
    if (watched === 'failed')
      return refuse(
        503,
        { field: 'address', description: 'the history cannot be read now' },
        { 'retry-after': '5' },
      )
    const deadline = createDeadline(limits.moneyPartsMs)
    try {
      const { entries, next, indexed } = await source.read(account, cursor)
      const body: HistoryResponse = {
        ...(await toTransactions(c, { chain, account, entries, currency, deadline })),
        next,
        currency,
        ...(indexed && { indexed }),
      }
      return json(body)
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error
      return refuse(503, { field: 'chainId', description: error.message }, { 'retry-after': '5' })
    } finally {
      deadline.end()
    }
  })
}
