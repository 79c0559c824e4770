import { type Chain, startChain } from '@gatefold/chain'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  http,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import type { createDemoWallet, DemoWallet } from '../createDemoWallet.ts'
import { createTestWallet } from '../createTestWallet.ts'
import { demoAccounts } from '../demoAccounts.ts'

export const alice = privateKeyToAccount(demoAccounts(0)[0]!)
export const bob = privateKeyToAccount(demoAccounts(1)[0]!)
/** An address without a key in the wallet. */
export const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const lower = (address: Address) => address.toLowerCase()

/** Starts two chains for a test file, and creates wallets that are destroyed after each test. */
export function useTestWallets() {
  let firstChain: Chain
  let secondChain: Chain
  let chains: { id: number; rpcUrl: string; name: string }[]
  const wallets: DemoWallet[] = []

  beforeAll(async () => {
    ;[firstChain, secondChain] = await Promise.all([
      startChain({ chainId: 31337 }),
      startChain({ chainId: 31338 }),
    ])
    chains = [
      { id: 31337, rpcUrl: firstChain.url, name: 'Home' },
      { id: 31338, rpcUrl: secondChain.url, name: 'Away' },
    ]
  })
  afterAll(() => Promise.all([firstChain?.stop(), secondChain?.stop()]))
  afterEach(() => {
    for (const wallet of wallets.splice(0)) wallet.destroy()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  function createWallet(options: Partial<createDemoWallet.Options> = {}) {
    const wallet = createTestWallet({ chains, accounts: demoAccounts(0, 1), ...options })
    wallets.push(wallet)
    const request = (method: string, ...params: unknown[]) =>
      wallet.provider.request({ method, params })
    return { ...wallet, request }
  }

  return {
    /** Creates a wallet on both chains, with two accounts. */
    make: createWallet,
    /** Creates a wallet whose accounts the page already has permission to see. */
    connected: async (options: Partial<createDemoWallet.Options> = {}) => {
      const wallet = createWallet(options)
      await wallet.request('eth_requestAccounts')
      return wallet
    },
    /** The wallet as a viem client, with a public client of the first chain. */
    viemOf: (wallet: Pick<DemoWallet, 'provider'>, account: Address = alice.address) => {
      const chain = defineChain({
        id: 31337,
        name: 'Home',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [firstChain.url] } },
      })
      return {
        wallet: createWalletClient({ account, chain, transport: custom(wallet.provider) }),
        chain: createPublicClient({ chain, transport: http(), pollingInterval: 50 }),
      }
    },
    /** The chains as wallet options. */
    get chains() {
      return chains
    },
  }
}

/** Records the provider's events as `[name, payload]`. */
export function recordEvents(wallet: Pick<DemoWallet, 'provider'>) {
  const events: unknown[] = []
  for (const name of ['accountsChanged', 'chainChanged', 'disconnect', 'connect'] as const) {
    wallet.provider.on(name, (payload) => {
      events.push([name, payload instanceof Error ? { code: payload.code } : payload])
    })
  }
  return events
}

/** The code of the error that a request rejects with. */
export async function codeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'answered'
}
