import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { RefusedError } from '../requests.ts'
import { toCents, fromCents, toDecimal, toMoney } from './amounts.ts'
import {
  ProviderError,
  WebhookError,
  type OnrampProvider,
  type ProviderOptions,
  type StatusUpdate,
} from './OnrampProvider.ts'
import { requestJson } from './requestJson.ts'
import type { MeldSettings } from './settings.ts'
import { hmac, isEqual, parseBody } from './signatures.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/**
 * The tokens that official clients buy at Meld: SOL on Solana, otherwise USDC.
 * @see spec §7.10
 */
const tokens: ProviderOptions['tokens'] = [
  {
    symbol: 'USDC',
    name: 'USD Coin',
    networks: [
      {
        chainId: 'eip155:1',
        name: 'ethereum-mainnet',
        displayName: 'Ethereum',
        contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      },
    ],
  },
  {
    symbol: 'SOL',
    name: 'Solana',
    networks: [{ chainId: solana, name: 'solana-mainnet', displayName: 'Solana', contract: '' }],
  },
]

/** @see spec §9.5 */
const methods: ProviderOptions['paymentCurrencies'][number]['methods'] = [
  { id: 'card', min: toText(limits.onrampCardMin), max: toText(limits.onrampCardMax) },
  { id: 'ach_bank_account', min: toText(limits.onrampBankMin), max: toText(limits.onrampBankMax) },
]

const paymentMethodTypes = { card: 'CREDIT_DEBIT_CARD', ach_bank_account: 'ACH' } as const

const Amount = v.pipe(v.number(), v.finite(), v.minValue(0))
const Quotes = v.object({
  quotes: v.nullish(
    v.array(
      v.object({
        destinationAmount: Amount,
        totalFee: v.nullish(Amount),
        networkFee: v.nullish(Amount),
      }),
    ),
  ),
})

const Transaction = v.object({
  transaction: v.object({
    status: v.string(),
    externalSessionId: v.nullish(v.string()),
    destinationAmount: v.nullish(Amount),
    cryptoDetails: v.nullish(v.object({ blockchainTransactionId: v.nullish(v.string()) })),
  }),
})

const Event = v.object({
  eventId: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  payload: v.nullish(
    v.object({
      externalSessionId: v.nullish(v.string()),
      paymentTransactionId: v.nullish(v.pipe(v.string(), v.regex(/^\w{1,100}$/))),
    }),
  ),
})

const failures: Record<string, string> = {
  DECLINED: 'The payment was declined.',
  CANCELLED: 'The payment was canceled.',
  REFUNDED: 'The payment was refunded.',
  FAILED: 'The payment failed.',
  VOIDED: 'The payment was canceled.',
  AUTHORIZATION_EXPIRED: 'The payment was canceled.',
}

/**
 * Meld, which compares several on-ramps. Visitors pay in its widget; official
 * clients build the same URL.
 *
 * @see docs/onramp/meld.md; spec §7.10
 */
export function createMeld(settings: v.InferOutput<typeof MeldSettings>): OnrampProvider {
  const { apiKey, apiUrl, country, publicKey, webhook, widgetUrl } = settings
  const headers = { authorization: `BASIC ${apiKey}`, 'meld-version': '2025-03-01' }
  return {
    id: 'meld',
    name: 'Meld',
    quoteCost: 50,
    options: async () => ({
      paymentCurrencies: ['USD', 'EUR'].map((id) => ({ id, methods })),
      tokens,
    }),

    async quote({ symbol, paymentCurrency, amount, method }) {
      const found = await requestJson({
        provider: 'Meld',
        url: `${apiUrl}/payments/crypto/quote`,
        headers,
        schema: Quotes,
        body: {
          countryCode: country,
          sourceCurrencyCode: paymentCurrency,
          sourceAmount: Number(amount),
          destinationCurrencyCode: symbol,
          paymentMethodType: paymentMethodTypes[method],
        },
        isRefusal: (status) => status === 400 || status === 404 || status === 422,
      })
      const [best] = (found?.quotes ?? []).toSorted(
        (a, b) => b.destinationAmount - a.destinationAmount,
      )
      if (!best) throw new RefusedError('provider', `Meld does not sell ${symbol} for this amount`)
      const networkFee = toMoney(best.networkFee ?? 0)
      // Meld's total includes the network's fee.
      const total = toCents(toMoney(best.totalFee ?? 0))
      const fee = total > toCents(networkFee) ? total - toCents(networkFee) : 0n
      if (fee + toCents(networkFee) > toCents(amount))
        throw new ProviderError('Meld quoted fees above the payment')
      return { fee: fromCents(fee), networkFee, purchaseAmount: toDecimal(best.destinationAmount) }
    },

    async createUrl({ order, method }) {
      const url = new URL(widgetUrl)
      const query = {
        publicKey,
        destinationCurrencyCode: order.chainId === solana ? 'SOL' : 'USDC',
        walletAddress: order.account,
        externalCustomerId: order.projectId,
        externalSessionId: order.id,
        sourceAmount: order.paymentTotal,
        sourceCurrencyCode: order.paymentCurrency,
        countryCode: country,
        paymentMethodType: paymentMethodTypes[method],
        ...(order.returnUrl && { redirectUrl: order.returnUrl }),
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },

    async readStatus({ id, reference }) {
      // Meld's id of the transaction is known from its first webhook.
      if (!reference) return undefined
      const found = await requestJson({
        provider: 'Meld',
        url: `${apiUrl}/payments/transactions/${encodeURIComponent(reference)}`,
        headers,
        schema: Transaction,
        isRefusal: (status) => status === 404,
      })
      const transaction = found?.transaction
      if (transaction?.externalSessionId !== id) return undefined
      return toUpdate(transaction)
    },

    ...(webhook && {
      readWebhook({ header, body, now }) {
        const timestamp = header('meld-signature-timestamp') ?? ''
        const expected = hmac(webhook.secret, `${timestamp}.${webhook.url}.`, body)
        const given = header('meld-signature') ?? ''
        if (!isEqual(given.replace(/=+$/, ''), expected.toString('base64url')))
          throw new WebhookError('the signature is missing or wrong')
        if (!(Math.abs(Date.parse(timestamp) - now) <= limits.onrampWebhookWindowMs))
          throw new WebhookError('the timestamp is too old or in the future')
        const event = v.safeParse(Event, parseBody(body))
        if (!event.success) throw new WebhookError('the body is not a webhook of Meld')
        const { eventId, payload } = event.output
        return {
          id: eventId,
          orderId: payload?.externalSessionId ?? undefined,
          reference: payload?.paymentTransactionId ?? undefined,
        }
      },
    }),
  }
}

function toUpdate({
  status,
  destinationAmount,
  cryptoDetails,
}: v.InferOutput<typeof Transaction>['transaction']): StatusUpdate {
  const transactionHash = cryptoDetails?.blockchainTransactionId ?? undefined
  if (status === 'SETTLED')
    return {
      status: 'paid',
      receivedAmount: destinationAmount ? toDecimal(destinationAmount) : undefined,
      transactionHash,
    }
  const reason = failures[status]
  return reason ? { status: 'failed', reason, transactionHash } : { status: 'pending' }
}

function toText(amount: number): string {
  return fromCents(BigInt(amount) * 100n)
}
