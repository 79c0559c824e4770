import {
  accounts,
  addresses,
  chainData,
  faucet,
  fundFaucet,
  startChain,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { startServer, type RunningServer } from '@gatefold/server'
import type * as Controllers from '@reown/appkit-controllers'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  http,
  parseEther,
  parseUnits,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const id = 'eip155:31337'
const [mira] = accounts
const ether = `${id}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`
const usdc = `${id}:${addresses.usdc}`
const user = `${id}:${mira.address}` as const

let chain: Chain
let server: RunningServer
let controllers: typeof Controllers
/** The methods of the controller that sends the requests, and those that the tests have called. */
let methods: string[]
const called = new Set<string>()
beforeAll(async () => {
  chain = await startChain()
  await fundFaucet(chain)
  server = await startServer({
    port: 0,
    logLevel: 'silent',
    dataDir: ':memory:',
    rpcUrls: { [id]: [chain.url] },
    chains: chainData,
    onramp: { sandbox: { faucetKey: faucet.privateKey } },
  })
  // The controllers copy the URL when they are loaded.
  const { ConstantsUtil } = await import('@reown/appkit-common')
  Object.assign(ConstantsUtil, { BLOCKCHAIN_API_RPC_URL: server.url })
  controllers = await import('@reown/appkit-controllers')
  const { AccountController, ChainController, OptionsController } = controllers
  const sender = controllers.BlockchainApiController as unknown as Record<string, unknown>
  methods = Object.keys(sender).filter((name) => typeof sender[name] === 'function')
  for (const name of methods) {
    const method = sender[name] as (...parameters: unknown[]) => unknown
    sender[name] = (...parameters: unknown[]) => {
      called.add(name)
      return method.apply(sender, parameters)
    }
  }
  OptionsController.setProjectId('default')
  Object.assign(ChainController.state, {
    activeChain: 'eip155',
    activeCaipAddress: user,
    activeCaipNetwork: { id: 31_337, chainNamespace: 'eip155', caipNetworkId: id },
  })
  Object.assign(AccountController.state, { address: mira.address })
})
afterAll(async () => {
  await server?.stop()
  await chain?.stop()
})

const reader = () => createPublicClient({ transport: http(chain.url), pollingInterval: 20 })

/** Sends a transaction with the fields that the client's swap view takes from a response. */
async function send(to: string, data: string, value: bigint) {
  const wallet = createWalletClient({
    account: privateKeyToAccount(mira.privateKey),
    transport: http(chain.url),
  })
  const hash = await wallet.sendTransaction({
    chain: null,
    to: to.split(':')[2] as Address,
    data: data as Hex,
    value,
  })
  expect((await receiptOf(reader(), hash)).status).toBe('success')
}

describe('AppKit’s controllers 1.7.15', () => {
  test('§7.8.1 find that the network is supported', async () => {
    const { BlockchainApiController } = controllers
    expect(await BlockchainApiController.isNetworkSupported(id)).toBe(true)
    expect(await BlockchainApiController.isNetworkSupported('eip155:5')).toBe(false)
  })

  test('§7.8.2 read the identity of an account', async () => {
    const { BlockchainApiController } = controllers
    expect(
      await BlockchainApiController.fetchIdentity({ address: mira.address, caipNetworkId: id }),
    ).toMatchObject({ name: 'mira.eth', avatar: null })
  })

  test('§7.8.4 §7.11 list the balances of an account', async () => {
    const { BlockchainApiController } = controllers
    const { balances } = await BlockchainApiController.getBalance(mira.address, id)
    expect(balances.map(({ symbol }) => symbol)).toEqual(['ETH', 'WETH', 'USDC', 'BOOK'])
    const amount = await reader().readContract({
      address: addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [mira.address],
    })
    expect(balances[2]).toMatchObject({
      address: usdc,
      chainId: id,
      quantity: { decimals: '6', numeric: formatUnits(amount, 6) },
      price: 1,
      value: Number(amount) / 1e6,
    })
  })

  test('§7.8.6 list the tokens for swaps', async () => {
    const { BlockchainApiController } = controllers
    const { tokens } = await BlockchainApiController.fetchSwapTokens({ chainId: id })
    expect(tokens.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
      ['ETH', 18],
      ['WETH', 18],
      ['USDC', 6],
      ['USDT', 6],
      ['BOOK', 18],
    ])
  })

  test('§7.8.7 read the price of a token', async () => {
    const { BlockchainApiController } = controllers
    const { fungibles } = await BlockchainApiController.fetchTokenPrice({
      addresses: [ether],
    })
    expect(fungibles[0]).toMatchObject({ symbol: 'ETH' })
    expect(fungibles[0]!.price).toBeCloseTo(2750, -2)
  })

  test('§7.8.9 read the gas price', async () => {
    const { BlockchainApiController } = controllers
    const price = await BlockchainApiController.fetchGasPrice({ chainId: id })
    expect(BigInt(price.standard)).toBe(await reader().getGasPrice())
  })

  test('§7.8.5 §7.8.10 quote and build a swap of the native currency, which then succeeds', async () => {
    const { BlockchainApiController } = controllers
    const amount = String(parseEther('1'))
    const { quotes } = await BlockchainApiController.fetchSwapQuote({
      amount,
      userAddress: mira.address,
      from: ether,
      to: usdc,
      gasPrice: '1000000000',
    })
    expect(Number(quotes[0]!.toAmount) / 1e6).toBeCloseTo(2745, -2)
    const { tx } = await BlockchainApiController.generateSwapCalldata({
      amount,
      userAddress: user,
      from: ether,
      to: usdc,
      disableEstimate: true,
    })
    expect(BigInt(tx.eip155.gas) > 100_000n).toBe(true)
    expect(BigInt(tx.eip155.gasPrice) > 0n).toBe(true)
    await send(tx.to, tx.data, BigInt(amount))
  })

  test('§7.8.8 §7.8.11 approve and swap a token', async () => {
    const { BlockchainApiController } = controllers
    const query = { tokenAddress: usdc, userAddress: user }
    expect(await BlockchainApiController.fetchSwapAllowance(query)).toEqual({ allowance: '0' })
    const swap = { userAddress: user, from: usdc, to: ether }
    const approval = await BlockchainApiController.generateApproveCalldata(swap)
    // The client sends the approval to the address in `tx.from`.
    await send(approval.tx.from, approval.tx.data, BigInt(approval.tx.value))
    const amount = parseUnits('100', 6)
    const { allowance } = await BlockchainApiController.fetchSwapAllowance(query)
    expect(BigInt(allowance) >= amount).toBe(true)
    const { tx } = await BlockchainApiController.generateSwapCalldata({
      ...swap,
      amount: String(amount),
      disableEstimate: true,
    })
    const before = await reader().getBalance({ address: mira.address })
    await send(tx.to, tx.data, 0n)
    const received = (await reader().getBalance({ address: mira.address })) - before
    expect(Number(received) / 1e18).toBeCloseTo(100 / 2750, 2)
  })

  test('§3.13 §4.10.1 §4.10.2 §7.8.12-15 §7.9 check, suggest, register and resolve a name, once', async () => {
    const { ConnectionController, ConnectorController, EnsController, RouterController } =
      controllers
    // As AppKit's adapter for email login does.
    const connector = { id: 'ID_AUTH', type: 'AUTH', name: 'Auth', chain: 'eip155', provider: {} }
    ConnectorController.state.connectors.push(connector as never)
    const signMessage = async (message: string) =>
      privateKeyToAccount(mira.privateKey).signMessage({ message })
    ConnectionController.setClient({ signMessage } as never)

    expect(await EnsController.isNameRegistered('keeper')).toBe(false)
    await EnsController.registerName('keeper.reown.id')
    expect(RouterController.state.view).toBe('RegisterAccountNameSuccess')
    expect(await EnsController.isNameRegistered('keeper')).toBe(true)
    const suggestions = await EnsController.getSuggestions('keeper')
    expect(suggestions[0]).toEqual({ name: 'keeper.reown.id', registered: true })
    const free = suggestions[1]!.name.replace('.reown.id', '')
    expect(await EnsController.isNameRegistered(free)).toBe(false)

    const { addresses: resolved } = await EnsController.resolveName('keeper.reown.id')
    // The first address is the one that the client sends to.
    expect(Object.values(resolved)[0]!.address).toBe(mira.address)
    const [first] = await EnsController.getNamesForAddress(mira.address)
    expect(first!.name).toBe('keeper.gatefold.alt')

    await expect(EnsController.registerName('keeper.reown.id')).rejects.toThrow(
      'Error registering name keeper.reown.id',
    )
    expect(RouterController.state.view).toBe('RegisterAccountName')
  })

  test('§3.9.1 §7.8.3 §9.3.2 read the history of an account', async () => {
    const { TransactionsController } = controllers
    const sent = await reader().getTransactionCount({ address: mira.address })
    const read = async () => {
      TransactionsController.resetTransactions()
      do await TransactionsController.fetchTransactions(mira.address)
      while (TransactionsController.state.next)
      const { transactions } = TransactionsController.state
      return transactions.filter((it) => it.metadata.sentFrom === mira.address)
    }
    await expect.poll(read).toHaveLength(sent)
    const { empty, loading, transactions } = TransactionsController.state
    expect([empty, loading]).toEqual([false, false])
    expect(
      transactions
        .slice(0, 3)
        .map(({ metadata, transfers }) => [
          metadata.operationType,
          metadata.status,
          ...transfers.map((it) => `${it.direction} ${it.fungible_info?.symbol}`),
        ]),
    ).toEqual([
      ['trade', 'confirmed', 'out USDC', 'in ETH'],
      ['approve', 'confirmed', 'self USDC'],
      ['trade', 'confirmed', 'out ETH', 'in USDC'],
    ])
    expect(new Set(transactions.map((it) => it.id)).size).toBe(transactions.length)
  })

  test('§7.8.17 §7.8.18 list what can be bought, and quote it', async () => {
    const { ApiController, OnRampController } = controllers
    Object.assign(ApiController, {
      fetchCurrencyImages: async () => {},
      fetchTokenImages: async () => {},
    })
    await OnRampController.getAvailableCurrencies()
    const { state } = OnRampController
    expect(state.paymentCurrency).toMatchObject({
      id: 'USD',
      payment_method_limits: [{ id: 'card', min: '10.00', max: '7500.00' }],
    })
    expect(state.purchaseCurrencies.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
    OnRampController.setPurchaseCurrency(state.purchaseCurrencies[1]!)
    OnRampController.setPaymentAmount(250)
    const quote = await OnRampController.getQuote()
    expect(quote).toMatchObject({
      paymentTotal: { amount: '250.00', currency: 'USD' },
      purchaseAmount: { amount: '246.25', currency: 'USDC' },
    })
    expect(state).toMatchObject({ purchaseAmount: 246.25, error: null, quotesLoading: false })
  })

  test('§7.8.16 create the URL of a page on which the visitor pays', async () => {
    const { BlockchainApiController } = controllers
    const url = await BlockchainApiController.generateOnRampURL({
      destinationWallets: [
        { address: mira.address, blockchains: ['gatefold-local'], assets: ['USDC'] },
      ],
      defaultNetwork: 'gatefold-local',
      partnerUserId: 'visitor',
      paymentAmount: 250,
    })
    expect(url).toMatch(`${server.url}/onramp/sandbox/`)
    const page = await (await fetch(url)).text()
    expect(page).toContain('Buy 246.25 USDC')
    expect(page).toContain(mira.address)
  })

  test('§7.8.19 §7.8.20 list no permissions, and cannot revoke any', async () => {
    const { BlockchainApiController } = controllers
    expect(await BlockchainApiController.getSmartSessions(user)).toEqual({ pcis: [] })
    await expect(
      BlockchainApiController.revokeSmartSession(mira.address, '0x1', '0x2'),
    ).rejects.toThrow('HTTP status code: 400')
  })

  test('have called every endpoint in the tests above', () => {
    const endpoints = methods.filter((name) => !notEndpoints.has(name))
    expect(endpoints.length).toBeGreaterThan(19)
    expect(endpoints.filter((name) => !called.has(name))).toEqual([])
  })
})

/** Methods that request nothing, or that others call directly. */
const notEndpoints = new Set(['get', 'getSdkProperties', 'setClientId'])
