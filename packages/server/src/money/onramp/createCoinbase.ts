import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import { RefusedError } from '../requests.ts'
import { toCents, toDecimal, toMoney } from './amounts.ts'
import {
  ProviderError,
  WebhookError,
  type OnrampProvider,
  type ProviderOptions,
  type StatusUpdate,
} from './OnrampProvider.ts'
import { requestJson } from './requestJson.ts'
import type { CoinbaseSettings } from './settings.ts'
import { hmac, isEqual, parseBody } from './signatures.ts'

/** How long the options are cached. */
const optionsMs = 60 * 60_000
/**
 * Maximum number of currencies, and of networks per currency, that are passed
 * on.
 */
const maxCurrencies = 300
const maxNetworks = 20

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const Text = v.pipe(v.string(), v.maxLength(200))

const Options = v.object({
  payment_currencies: v.array(
    v.object({
      id: Text,
      limits: v.optional(v.array(v.object({ id: Text, min: Text, max: Text })), []),
    }),
  ),
  purchase_currencies: v.array(
    v.object({
      name: Text,
      symbol: Text,
      networks: v.array(
        v.object({
          name: Text,
          display_name: Text,
          chain_id: v.nullish(v.union([Text, v.number()])),
          contract_address: v.nullish(Text),
        }),
      ),
    }),
  ),
})

const Money = v.object({ value: v.pipe(v.string(), v.regex(/^\d{1,30}(\.\d{1,30})?$/)) })

const Quote = v.object({ purchase_amount: Money, coinbase_fee: Money, network_fee: Money })

const Token = v.object({ token: v.pipe(v.string(), v.regex(/^[\w.=+/-]{1,2000}$/)) })

const Transactions = v.object({
  transactions: v.array(
    v.object({
      status: v.string(),
      failure_reason: v.nullish(v.string()),
      purchase_amount: v.nullish(Money),
      tx_hash: v.nullish(Text),
    }),
  ),
})

const Event = v.object({ partnerUserRef: v.nullish(v.string()) })

const paymentMethods = { card: 'CARD', ach_bank_account: 'ACH_BANK_ACCOUNT' } as const

/** Coinbase Onramp. Visitors pay on Coinbase's page. @see docs/onramp/coinbase.md */
export function createCoinbase(
  settings: v.InferOutput<typeof CoinbaseSettings>,
  now: () => number,
): OnrampProvider {
  const { apiUrl, country, keyId, payUrl, subdivision, webhookSecret } = settings
  const key = readKey(settings.keySecret)
  const place = { country, ...(subdivision && { subdivision }) }
  let known: { options: Promise<ProviderOptions>; at: number } | undefined

  /** Sends a request with a token that is valid for two minutes and only for its method and path. */
  async function request<Schema extends v.GenericSchema>(
    path: string,
    options: { schema: Schema; body?: unknown; query?: Record<string, string> },
  ): Promise<v.InferOutput<Schema> | undefined> {
    const { schema, body, query } = options
    const url = new URL(`${apiUrl}/onramp/v1${path}`)
    const seconds = Math.floor(now() / 1000)
    const method = body === undefined ? 'GET' : 'POST'
    const token = await new SignJWT({ uris: [`${method} ${url.host}${url.pathname}`] })
      .setProtectedHeader({
        alg: key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256',
        kid: keyId,
        typ: 'JWT',
        nonce: randomBytes(16).toString('hex'),
      })
      .setIssuer('cdp')
      .setSubject(keyId)
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + 120)
      .sign(key)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    return requestJson({
      provider: 'Coinbase',
      url: url.href,
      headers: { authorization: `Bearer ${token}` },
      schema,
      body,
      isRefusal: (status) => status === 400 || status === 404 || status === 422,
    })
  }

  async function readOptions(): Promise<ProviderOptions> {
    const found = await request('/buy/options', { schema: Options, query: place })
    if (!found) throw new ProviderError('Coinbase has no options for the country in the settings')
    return toOptions(found)
  }

  return {
    id: 'coinbase',
    name: 'Coinbase',
    quoteCost: 50,

    options() {
      if (!known || now() - known.at >= optionsMs) {
        const current = { options: readOptions(), at: now() }
        known = current
        current.options.catch(() => {
          if (known === current) known = undefined
        })
      }
      return known.options
    },

    async quote({ symbol, network, paymentCurrency, amount, method }) {
      const quote = await request('/buy/quote', {
        schema: Quote,
        body: {
          purchaseCurrency: symbol,
          purchaseNetwork: network.name,
          paymentAmount: amount,
          paymentCurrency,
          paymentMethod: paymentMethods[method],
          ...place,
        },
      })
      if (!quote)
        throw new RefusedError(
          'provider',
          `Coinbase does not sell ${symbol} on ${network.displayName} for this amount`,
        )
      const fee = toMoney(quote.coinbase_fee.value)
      const networkFee = toMoney(quote.network_fee.value)
      if (toCents(fee) + toCents(networkFee) > toCents(amount))
        throw new ProviderError('Coinbase quoted fees above the payment')
      return { fee, networkFee, purchaseAmount: toDecimal(quote.purchase_amount.value) }
    },

    async createUrl({ order, network, method, clientAddress }) {
      const created = await request('/token', {
        schema: Token,
        body: {
          addresses: [{ address: order.account, blockchains: [network.name] }],
          assets: [order.symbol],
          clientIp: clientAddress,
        },
      })
      if (!created) throw new ProviderError('Coinbase refused to create a session')
      const url = new URL(`${payUrl}/buy/select-asset`)
      const query = {
        sessionToken: created.token,
        defaultAsset: order.symbol,
        defaultNetwork: network.name,
        defaultPaymentMethod: paymentMethods[method],
        defaultExperience: 'buy',
        presetFiatAmount: order.paymentTotal,
        fiatCurrency: order.paymentCurrency,
        partnerUserRef: order.id,
        ...(order.returnUrl && { redirectUrl: order.returnUrl }),
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },

    async readStatus({ id }) {
      const found = await request(`/buy/user/${encodeURIComponent(id)}/transactions`, {
        schema: Transactions,
        query: { page_size: '1' },
      })
      const [latest] = found?.transactions ?? []
      return latest && toUpdate(latest)
    },

    ...(webhookSecret && {
      readWebhook({ header, body, now: time }) {
        const parts = new Map(
          (header('x-hook0-signature') ?? '').split(',').map((part) => {
            const at = part.indexOf('=')
            return [part.slice(0, at).trim(), part.slice(at + 1)] as const
          }),
        )
        const seconds = parts.get('t') ?? ''
        const names = parts.get('h') ?? ''
        const values = names.split(' ').map((name) => header(name.toLowerCase()) ?? '')
        const signed = `${seconds}.${names}.${values.join('.')}.`
        const expected = hmac(webhookSecret, signed, body).toString('hex')
        if (!isEqual(parts.get('v1') ?? '', expected))
          throw new WebhookError('the signature is missing or wrong')
        if (!(Math.abs(Number(seconds) * 1000 - time) <= limits.onrampWebhookWindowMs))
          throw new WebhookError('the timestamp is too old or in the future')
        const isSigned = names.toLowerCase().split(' ').includes('x-event-id')
        const id = isSigned ? header('x-event-id') : undefined
        const event = v.safeParse(Event, parseBody(body))
        if (!id || id.length > 100 || !event.success)
          throw new WebhookError('the request is not a webhook of Coinbase')
        return { id, orderId: event.output.partnerUserRef ?? undefined }
      },
    }),
  }
}

/** @throws {Error} if the secret is neither of the two kinds of keys. The message does not contain it. */
function readKey(secret: string): KeyObject {
  try {
    if (secret.includes('-----BEGIN')) return createPrivateKey(secret.replaceAll('\\n', '\n'))
    // 32 bytes of private key, then 32 bytes of public key.
    const bytes = Buffer.from(secret, 'base64')
    if (bytes.length !== 64) throw new Error('not 64 bytes')
    const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((it) => it.toString('base64url'))
    return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d: d!, x: x! } })
  } catch {
    // No cause, because it could contain a part of the key.
    throw new Error(
      'coinbase.keySecret in GATEFOLD_ONRAMP is neither an Ed25519 key in base64 nor a PEM key.',
    )
  }
}

function toOptions(found: v.InferOutput<typeof Options>): ProviderOptions {
  return {
    paymentCurrencies: found.payment_currencies.slice(0, maxCurrencies).flatMap((currency) => {
      const methods = currency.limits.flatMap(({ id, min, max }) => {
        const known = id.toLowerCase()
        return known === 'card' || known === 'ach_bank_account' ? [{ id: known, min, max }] : []
      }) satisfies ProviderOptions['paymentCurrencies'][number]['methods']
      return methods.length > 0 ? [{ id: currency.id, methods }] : []
    }),
    tokens: found.purchase_currencies.slice(0, maxCurrencies).flatMap((currency) => {
      const networks = currency.networks.slice(0, maxNetworks).flatMap((network) => {
        const chainId = toCaip(network.name, network.chain_id)
        if (!chainId) return []
        const { name, display_name: displayName, contract_address: contract } = network
        return [{ chainId, name, displayName, contract: contract ?? '' }]
      })
      const { name, symbol } = currency
      return networks.length > 0 ? [{ symbol, name, networks }] : []
    }),
  }
}

function toCaip(name: string, chainId: string | number | null | undefined): string | undefined {
  if (name === 'solana') return solana
  const reference = String(chainId ?? '')
  return /^[1-9]\d{0,15}$/.test(reference) ? `eip155:${reference}` : undefined
}

function toUpdate(transaction: v.InferOutput<typeof Transactions>['transactions'][number]) {
  const { status, purchase_amount: amount, tx_hash: hash } = transaction
  const transactionHash = hash ?? undefined
  if (status === 'ONRAMP_TRANSACTION_STATUS_SUCCESS')
    return {
      status: 'paid',
      receivedAmount: amount ? toDecimal(amount.value) : undefined,
      transactionHash,
    } satisfies StatusUpdate
  if (status === 'ONRAMP_TRANSACTION_STATUS_FAILED')
    return {
      status: 'failed',
      reason: 'Coinbase could not complete the payment.',
      transactionHash,
    } satisfies StatusUpdate
  return { status: 'pending' } satisfies StatusUpdate
}
