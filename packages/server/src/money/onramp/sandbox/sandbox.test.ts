import { addresses, chainData, faucet, fundFaucet, startChain, type Chain } from '@gatefold/chain'
import type {
  OnrampOptionsResponse,
  OnrampOrder,
  OnrampQuoteResponse,
  OnrampUrlResponse,
} from '@gatefold/protocol/gateway'
import { createPublicClient, erc20Abi, http, parseEther, parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../../../main.ts'
import { openStorage } from '../../../storage/openStorage.ts'
import { saveProject } from '../../../storage/projects.ts'
import { createDatabase, engines, type TestDatabase } from '../../../testing/databases.ts'
import { startCountingProxy } from '../../../testing/startCountingProxy.ts'
import { testProject } from '../../../testing/testProject.ts'

const id = 'eip155:31337'
const paysCard = '4242 4242 4242 4242'

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
beforeAll(async () => {
  chain = await startChain()
  await fundFaucet(chain)
  proxy = await startCountingProxy(chain.url)
})
afterAll(async () => {
  await proxy?.stop()
  await chain?.stop()
})

const reader = () => createPublicClient({ transport: http(chain.url), pollingInterval: 20 })
const balanceOf = (address: Address) => reader().getBalance({ address })

describe.each(engines)('the sandbox on %s', (engine) => {
  let database: TestDatabase
  let server: RunningServer
  let now = 0
  const start = async (config = {}) =>
    startServer(
      {
        port: 0,
        roles: ['money'],
        logLevel: 'silent',
        rpcUrls: { [id]: [proxy.url], 'eip155:1': [proxy.url] },
        chains: chainData,
        onramp: { sandbox: { faucetKey: faucet.privateKey } },
        ...database.config,
        ...config,
      },
      { now: () => now },
    )
  beforeAll(async () => {
    now = Date.now()
    database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    await saveProject(
      storage.db,
      testProject({ id: 'book', name: 'Book', allowedOrigins: ['https://book.example'] }),
      now,
    )
    await storage.close()
    server = await start()
  })
  afterAll(async () => {
    await server?.stop()
    await database?.remove()
  })
  // An interrupted test leaves neither faults nor unpaid orders behind.
  beforeEach(() => {
    proxy.refuses = () => false
    now += 31 * 60_000
  })

  async function post(path: string, body: unknown) {
    const response = await fetch(`${server.url}${path}?projectId=book`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const quote = async (more: object = {}) => {
    const { status, body } = await post('/v1/onramp/quote', {
      purchaseCurrency: { symbol: 'ETH' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
      ...more,
    })
    return { status, body: body as OnrampQuoteResponse }
  }
  const order = async (more: object = {}) => {
    const { status, body } = await post('/v1/generators/onrampurl', {
      destinationWallets: [{ address: newAddress(), assets: ['ETH'] }],
      presetFiatAmount: 100,
      ...more,
    })
    return { status, body: body as OnrampUrlResponse }
  }
  const read = async (orderId: string) =>
    (await (
      await fetch(`${server.url}/v1/onramp/orders/${orderId}?projectId=book`)
    ).json()) as OnrampOrder
  const pay = async (url: string, form: Record<string, string>, headers = {}) =>
    fetch(`${url}/pay`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
      redirect: 'manual',
    })
  const card = (number: string) => ({ action: 'pay', number, expiry: '12/40', code: '123' })
  const waitFor = async (orderId: string, status: string) =>
    expect.poll(async () => (await read(orderId)).status).toBe(status)

  test('§7.8.17 §9.5 sells the tokens of local chains', async () => {
    const response = await fetch(`${server.url}/v1/onramp/options?projectId=book`)
    const options = (await response.json()) as OnrampOptionsResponse
    expect(options.providers).toEqual([{ id: 'sandbox', name: 'Sandbox' }])
    expect(options.paymentCurrencies[0]).toEqual({
      id: 'USD',
      payment_method_limits: [{ id: 'card', min: '10.00', max: '7500.00' }],
    })
    expect(options.purchaseCurrencies.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
    expect(options.purchaseCurrencies[1]!.networks).toEqual([
      {
        name: 'gatefold-local',
        display_name: 'Gatefold Local',
        chain_id: '31337',
        contract_address: addresses.usdc,
      },
    ])
  })

  test('attack: nothing is sold on a public chain', async () => {
    const { status, body } = await order({ chainId: 'eip155:1' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      reasons: [{ description: 'Sandbox does not sell ETH on eip155:1' }],
    })
  })

  test('§7.8.18 §9.5 quotes a payment with its fee, which is from 1 to 2 percent', async () => {
    const { body } = await quote({ purchaseCurrency: { symbol: 'USDC' } })
    expect(body).toMatchObject({
      provider: 'sandbox',
      paymentTotal: { amount: '100.00', currency: 'USD' },
      paymentSubtotal: { amount: '98.50', currency: 'USD' },
      fee: { amount: '1.50', currency: 'USD' },
      networkFee: { amount: '0.00', currency: 'USD' },
      purchaseAmount: { amount: '98.5', currency: 'USDC' },
      chainId: id,
    })
    const euros = await quote({
      purchaseCurrency: { symbol: 'USDC' },
      paymentCurrency: { id: 'EUR' },
    })
    expect(euros.body.purchaseAmount.amount).toBe('108.35')
    const ether = await quote()
    expect(Number(ether.body.purchaseAmount.amount)).toBeCloseTo(98.5 / 2750, 3)
  })

  test.each([
    ['9.99', 'Sandbox takes from 10.00 to 7500.00 USD by card'],
    ['7500.01', 'Sandbox takes from 10.00 to 7500.00 USD by card'],
    ['10.001', 'amount must be an amount with at most two decimals, such as 250.00'],
  ])('§9.5 error: a payment of %s is refused', async (amount, description) => {
    const { status, body } = await quote({ amount })
    expect([400, 422]).toContain(status)
    expect(body).toMatchObject({ reasons: [{ description }] })
  })

  test('§7.8.16 pays out what was quoted, and reports it', async () => {
    const address = newAddress()
    const quoted = await quote()
    const { quoteId, purchaseAmount } = quoted.body
    const { body } = await order({ quoteId, destinationWallets: [{ address }] })
    const { url } = body
    expect(body.order).toMatchObject({ status: 'created', purchaseAmount, url })
    expect(await read(body.order.id)).toMatchObject({ status: 'created', url })
    const paid = await pay(body.url, card(paysCard))
    expect(paid.status).toBe(303)
    await waitFor(body.order.id, 'paid')
    const { receivedAmount, transactionHash, ...rest } = await read(body.order.id)
    expect(rest.url).toBeUndefined()
    expect(receivedAmount).toEqual(purchaseAmount)
    expect(await balanceOf(address)).toBe(parseEther(purchaseAmount.amount))
    const transaction = await reader().getTransaction({ hash: transactionHash as `0x${string}` })
    expect(transaction.from).toBe(faucet.address.toLowerCase())
    expect(await (await fetch(body.url)).text()).toContain('is in your wallet')
  })

  test('pays out tokens', async () => {
    const address = newAddress()
    const { body } = await order({ destinationWallets: [{ address, assets: ['USDC'] }] })
    await pay(body.url, card(paysCard))
    await waitFor(body.order.id, 'paid')
    const balance = await reader().readContract({
      address: addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })
    expect(balance).toBe(parseUnits('98.5', 6))
  })

  test('a declined card fails the order, and nothing is sent', async () => {
    const address = newAddress()
    const { body } = await order({ destinationWallets: [{ address }] })
    await pay(body.url, card('4000 0000 0000 0002'))
    expect(await read(body.order.id)).toMatchObject({
      status: 'failed',
      reason: 'The test card was declined.',
    })
    await pay(body.url, card(paysCard))
    expect((await read(body.order.id)).status).toBe('failed')
    expect(await (await fetch(body.url)).text()).toContain('Your bank said no')
    expect(await balanceOf(address)).toBe(0n)
  })

  test('a card whose bank asks for confirmation pays only after the payment is approved', async () => {
    const { body } = await order()
    await pay(body.url, { action: 'approve' })
    expect((await read(body.order.id)).status).toBe('created')
    await pay(body.url, card('4000 0027 6000 3184'))
    expect((await read(body.order.id)).status).toBe('created')
    expect(await (await fetch(body.url)).text()).toContain('Confirm with your bank')
    await pay(body.url, { action: 'approve' })
    await waitFor(body.order.id, 'paid')
  })

  test('a slow card pays after ten seconds', async () => {
    const { body } = await order()
    await pay(body.url, card('4000 0000 0000 0077'))
    expect(await (await fetch(body.url)).text()).toContain('On its way')
    now += 9_000
    expect((await read(body.order.id)).status).toBe('pending')
    now += 1_000
    await waitFor(body.order.id, 'paid')
  })

  test('an order expires after 30 minutes, and can then not be paid', async () => {
    const { body } = await order()
    now += 30 * 60_000
    expect((await read(body.order.id)).status).toBe('expired')
    await pay(body.url, card(paysCard))
    expect((await read(body.order.id)).status).toBe('expired')
    expect(await (await fetch(body.url)).text()).toContain('This order has expired')
  })

  test('error: the form says what to correct', async () => {
    const { body } = await order()
    const response = await pay(body.url, {
      action: 'pay',
      number: '4111111111111111',
      expiry: '01/20',
      code: '',
    })
    expect(response.status).toBe(422)
    const text = await response.text()
    expect(text).toContain('Use one of the test cards')
    expect(text).toContain('This date is in the past')
    expect(text).toContain('Enter 3 or 4 digits')
    expect((await read(body.order.id)).status).toBe('created')
  })

  test('attack: an order that is paid many times at once is paid out once', async () => {
    const address = newAddress()
    const { body } = await order({ destinationWallets: [{ address }] })
    await Promise.all(Array.from({ length: 10 }, () => pay(body.url, card(paysCard))))
    await waitFor(body.order.id, 'paid')
    const { nonce } = await faucetState()
    await pay(body.url, card(paysCard))
    const other = await order()
    await pay(other.body.url, card(paysCard))
    await waitFor(other.body.order.id, 'paid')
    expect((await faucetState()).nonce).toBe(nonce + 1)
    expect(await balanceOf(address)).toBe(parseEther(body.order.purchaseAmount.amount))
  })

  test('attack: a payout that was sent but not recorded before a restart is not repeated', async () => {
    const address = newAddress()
    const { body } = await order({ destinationWallets: [{ address }] })
    // The transaction is executed, but afterwards this server cannot reach the node.
    let isSent = false
    proxy.refuses = (text) => {
      const isLost = isSent
      isSent ||= text.includes('eth_sendRawTransaction')
      return isLost
    }
    await pay(body.url, card(paysCard))
    await expect.poll(() => balanceOf(address)).toBeGreaterThan(0n)
    const { nonce } = await faucetState()
    expect((await read(body.order.id)).status).toBe('pending')
    await server.stop()
    proxy.refuses = () => false
    now += 60_000
    server = await start()
    await waitFor(body.order.id, 'paid')
    expect(await balanceOf(address)).toBe(parseEther(body.order.purchaseAmount.amount))
    expect((await faucetState()).nonce).toBe(nonce)
  })

  test('attack: two servers on one database pay an order out once', async () => {
    const address = newAddress()
    const second = await start()
    const { body } = await order({ destinationWallets: [{ address }] })
    const other = body.url.replace(server.url, second.url)
    await Promise.all([pay(body.url, card(paysCard)), pay(other, card(paysCard))])
    await waitFor(body.order.id, 'paid')
    await second.stop()
    expect(await balanceOf(address)).toBe(parseEther(body.order.purchaseAmount.amount))
  })

  test('attack: terms that were changed in a quote are refused', async () => {
    const { body } = await quote()
    const [text = '', signature = ''] = body.quoteId.split('.')
    const terms = JSON.parse(Buffer.from(text, 'base64url').toString()) as object
    const changed = Buffer.from(JSON.stringify({ ...terms, purchaseAmount: '1000' }))
    const forged = await order({ quoteId: `${changed.toString('base64url')}.${signature}` })
    expect(forged.status).toBe(400)
    expect(forged.body).toMatchObject({ reasons: [{ field: 'quoteId' }] })
    now += 60_000
    expect((await order({ quoteId: body.quoteId })).status).toBe(400)
  })

  test('attack: a form cannot change the amount or the account of an order', async () => {
    const [address, thief] = [newAddress(), newAddress()]
    const { body } = await order({ destinationWallets: [{ address }] })
    await pay(body.url, {
      ...card(paysCard),
      account: thief,
      address: thief,
      purchaseAmount: '1000',
      paymentTotal: '10.00',
    })
    await waitFor(body.order.id, 'paid')
    expect(await balanceOf(thief)).toBe(0n)
    expect(await balanceOf(address)).toBe(parseEther(body.order.purchaseAmount.amount))
  })

  test('attack: an order redirects back only to the origins of the project', async () => {
    for (const returnUrl of [
      'https://evil.example/',
      'https://book.example.evil.example/',
      'https://book.example@evil.example/',
      'javascript:alert(1)',
    ])
      expect((await order({ returnUrl })).body).toMatchObject({
        reasons: [{ field: 'returnUrl' }],
      })
    const { body } = await order({ returnUrl: 'https://book.example/account?tab=buy' })
    await pay(body.url, { action: 'cancel' })
    expect(await (await fetch(body.url)).text()).toContain(
      'href="https://book.example/account?tab=buy"',
    )
  })

  test('attack: another site can neither send the form nor read the order', async () => {
    const { body } = await order()
    const response = await pay(body.url, card(paysCard), { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
    expect((await read(body.order.id)).status).toBe('created')
    const page = await fetch(body.url)
    expect(page.headers.get('access-control-allow-origin')).toBe(null)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const other = await fetch(`${server.url}/v1/onramp/orders/${body.order.id}`)
    expect(other.status).toBe(404)
  })

  test('attack: a client has at most 20 unpaid orders', async () => {
    for (let count = 0; count < 20; count += 1) expect((await order()).status).toBe(200)
    const { status, body } = await order()
    expect(status).toBe(429)
    expect(body).toMatchObject({ reasons: [{ field: 'ip' }] })
    now += 30 * 60_000
    expect((await order()).status).toBe(200)
  })

  async function faucetState() {
    return { nonce: await reader().getTransactionCount({ address: faucet.address }) }
  }
})

function newAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}

test('without settings, there are no providers', async () => {
  const server = await startServer({
    port: 0,
    roles: ['money'],
    logLevel: 'silent',
    dataDir: ':memory:',
    rpcUrls: { [id]: [chain.url] },
    chains: chainData,
  })
  const options = await fetch(`${server.url}/v1/onramp/options`)
  expect(await options.json()).toEqual({
    providers: [],
    paymentCurrencies: [],
    purchaseCurrencies: [],
  })
  const quote = await fetch(`${server.url}/v1/onramp/quote`, {
    method: 'POST',
    body: JSON.stringify({
      purchaseCurrency: { symbol: 'ETH' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
    }),
  })
  expect(await quote.json()).toMatchObject({
    reasons: [{ description: 'this server has no on-ramp provider' }],
  })
  await server.stop()
})
