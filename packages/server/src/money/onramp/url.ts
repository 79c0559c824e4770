import { randomBytes } from 'node:crypto'
import { isAddress, limits } from '@gatefold/protocol'
import { EvmAddress, OnrampUrlBody, type OnrampUrlResponse } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { addressOf, charge } from '../../http/access.ts'
import {
  addOrder,
  changeOrder,
  countUnpaidOrders,
  deleteOrder,
  type StoredOrder,
} from '../../storage/onramp.ts'
import { allowsOrigin, type Project } from '../../storage/projects.ts'
import { stored } from '../../storage/stored.ts'
import { handleBody, json, originOf, refuse, RefusedError } from '../requests.ts'
import type { OnrampContext } from './createOnramp.ts'
import { ProviderError, type OnrampNetwork } from './OnrampProvider.ts'
import { readOptions } from './options.ts'
import { toOrder } from './order.ts'
import { findNetwork, findQuotes, selectProviders } from './quote.ts'
import { openTerms, type Terms } from './quoteIds.ts'
import { hmac } from './signatures.ts'

/** Maximum size of a request for an order, in bytes. */
const maxBodyBytes = 32 * 1024

/** Cost of an order in tokens of the rate limits, because it is stored. */
const orderCost = 50

/**
 * `POST /v1/generators/onrampurl`: creates an order, and returns the URL of the
 * page on which it is paid. The order has the terms of `quoteId` or, without
 * it, those of the best current quote.
 *
 * @see docs/contracts/gateway.md#on-ramp; spec §7.8.16
 */
export function postUrl(context: OnrampContext) {
  const { now, onramp, storage } = context
  const { db } = storage
  return handleBody(context, OnrampUrlBody, maxBodyBytes, async (body, c, project) => {
    const limited = charge(context, c, project, orderCost)
    if (limited) return limited
    const returnUrl = checkReturnUrl(project, body.returnUrl)
    const secret = await onramp.key()
    const clientAddress = addressOf(context, c)
    const client = hmac(secret, 'client ', clientAddress).toString('base64url').slice(0, 16)
    const full = await findFullLimit(context, client, project.id)
    if (full) return full

    const chosen = await choose(context, body)
    if (chosen instanceof Response) return chosen
    const { terms, network } = chosen
    const { address } = body.destinationWallets[0]!
    if (!isAccount(address, terms.chainId))
      throw new RefusedError(
        'destinationWallets',
        `destinationWallets: the first address is not an account on ${network.displayName}`,
      )
    const provider = onramp.providers.get(terms.provider)!
    const createdAt = now()
    const order: StoredOrder = {
      id: randomBytes(16).toString('base64url'),
      projectId: project.id,
      client,
      provider: provider.id,
      status: 'created',
      step: '',
      reason: '',
      chainId: terms.chainId,
      account: address,
      symbol: terms.symbol,
      paymentCurrency: terms.paymentCurrency,
      paymentTotal: terms.paymentTotal,
      fee: terms.fee,
      networkFee: terms.networkFee,
      purchaseAmount: terms.purchaseAmount,
      receivedAmount: '',
      transactionHash: '',
      reference: '',
      returnUrl,
      url: '',
      dueAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      expiresAt: createdAt + limits.onrampOrderMs,
    }
    await stored(addOrder(db, order))
    try {
      const url = await provider.createUrl({
        order,
        network,
        method: terms.method,
        clientAddress: clientAddress.replace(/\/64$/, ''),
        origin: originOf(c),
      })
      await stored(changeOrder(db, order.id, { status: ['created'] }, { url }, createdAt))
      return json({
        url,
        order: toOrder({ ...order, url }, provider, createdAt),
      } satisfies OnrampUrlResponse)
    } catch (error) {
      await stored(deleteOrder(db, order.id))
      if (!(error instanceof ProviderError)) throw error
      onramp.log.warn({ err: error }, 'an on-ramp provider has no page')
      return unavailable(provider.id, `${provider.name} did not respond`)
    }
  })
}

/**
 * The terms of the request's quote, otherwise those of the best quote for the
 * requested purchase.
 */
async function choose(
  context: OnrampContext,
  body: OnrampUrlBody,
): Promise<{ terms: Terms; network: OnrampNetwork } | Response> {
  const { now, onramp } = context
  if (body.quoteId !== undefined) {
    const terms = openTerms(body.quoteId, await onramp.key(), now())
    if (!terms || !onramp.providers.has(terms.provider))
      throw new RefusedError('quoteId', 'quoteId: the quote has expired; ask for a new one')
    const [known] = await readOptions(context, selectProviders(context, terms.provider))
    if (!known) return unavailable(terms.provider, 'the provider did not respond')
    const { symbol, chainId, paymentCurrency, method, paymentTotal: amount } = terms
    const wish = { symbol, chainId, paymentCurrency, method, amount }
    return { terms, network: findNetwork(known.provider, known.options, wish).network }
  }
  const [wallet] = body.destinationWallets
  const { quotes, reasons, isDown } = await findQuotes(
    context,
    selectProviders(context, body.provider),
    {
      symbol: wallet?.assets?.[0],
      chainId: body.chainId,
      networkName: body.chainId ? undefined : (body.defaultNetwork ?? wallet?.blockchains?.[0]),
      paymentCurrency: body.paymentCurrency,
      method: body.paymentMethod,
      amount: body.presetFiatAmount ?? String(limits.onrampDefaultAmount),
    },
  )
  const [best] = quotes
  if (best) return best
  return isDown ? refuse(503, reasons, { 'retry-after': '5' }) : refuse(400, reasons)
}

/**
 * @throws {RefusedError} if the URL is not on one of the project's origins, so
 * that no order redirects to another site.
 */
function checkReturnUrl(project: Project, text: string | undefined): string {
  if (text === undefined) return ''
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || !allowsOrigin(project, url.origin))
    throw new RefusedError(
      'returnUrl',
      'returnUrl: the page is not on an origin that the project allows',
    )
  return url.href
}

/** The response if a client or a project has too many unpaid orders. */
async function findFullLimit(
  { now, storage }: OnrampContext,
  client: string,
  projectId: string,
): Promise<Response | undefined> {
  const tooMany = (field: string) =>
    refuse(
      429,
      { field, description: 'too many unpaid orders; pay one, or wait until they expire' },
      { 'retry-after': String(limits.onrampOrderMs / 1000) },
    )
  if ((await stored(countUnpaidOrders(storage.db, { client }, now()))) >= limits.onrampClientOrders)
    return tooMany('ip')
  if (
    (await stored(countUnpaidOrders(storage.db, { projectId }, now()))) >=
    limits.onrampProjectOrders
  )
    return tooMany('projectId')
  return undefined
}

function isAccount(address: string, chainId: string): boolean {
  return chainId.startsWith('solana:') ? isAddress(address, 'solana') : v.is(EvmAddress, address)
}

function unavailable(field: string, description: string): Response {
  return refuse(503, { field, description }, { 'retry-after': '5' })
}
