import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { UserRejectedError } from '../../core/kit/errors.ts'
import { ChainNotSupportedError, NetworkNotFoundError } from '../../core/kit/requestErrors.ts'
import { toNetwork } from '../../core/networks/Network.ts'
import { createPage, intercept, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'
import { toAddedChain } from './switchNetwork.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'

async function connected(options: Parameters<Page['wallet']>[0] = {}) {
  const wallet = page.wallet(options)
  const made = page.adapter()
  await made.adapter.connect({ connectorId: halyard })
  made.newEvents()
  const from = wallet.controls.requests.length
  const requests = () =>
    wallet.controls.requests
      .slice(from)
      .filter(({ method }) => method.startsWith('wallet_'))
      .map(({ method }) => method)
  return { ...made, wallet, requests }
}

const onlyFirst = () => ({ chains: [{ id: 31337, rpcUrl: chains.first.url }] })

test('§4.6.2/1 switches the wallet and emits the change', async () => {
  const { adapter, newEvents, wallet, requests } = await connected()
  await adapter.switchNetwork({ network: page.networks[1] })
  expect(requests()).toEqual(['wallet_switchEthereumChain'])
  expect(wallet.controls.chainId).toBe(31338)
  expect(newEvents()).toEqual([
    { type: 'chainChanged', connectorId: halyard, caipNetworkId: 'eip155:31338' },
  ])
  await adapter.switchNetwork({ network: page.networks[1] })
  expect(requests()).toHaveLength(1)
})

test('§4.6.4/1 §4.6.4/2 §7.13.1 adds a chain that the wallet does not know', async () => {
  const { adapter, wallet } = await connected(onlyFirst())
  await adapter.switchNetwork({ network: page.networks[1] })
  expect(wallet.controls.chainId).toBe(31338)
  const added = wallet.controls.requests.find(({ method }) => method === 'wallet_addEthereumChain')
  expect(added?.params).toEqual([
    {
      chainId: '0x7a6a',
      chainName: 'Gatefold Second',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [chains.second.url],
    },
  ])
})

test('§7.13.1 the wallet receives the RPC URLs and the explorer from the chain definition, not the site’s URLs', () => {
  const chain = {
    ...page.second,
    id: 1,
    rpcUrls: { default: { http: ['https://chain.example'] } },
    blockExplorers: { default: { name: 'Scan', url: 'https://scan.example' } },
  }
  const network = toNetwork(chain, { gateway: 'https://gate.example' })
  expect(network.rpcUrls.default.http).toHaveLength(2)
  expect(toAddedChain(network)).toMatchObject({
    chainId: '0x1',
    rpcUrls: ['https://chain.example'],
    blockExplorerUrls: ['https://scan.example'],
  })
})

describe('error:', () => {
  test('§4.6.4/2 §8.11.4 a rejected switch does not add the chain', async () => {
    const { adapter, requests } = await connected({
      faults: { reject: ['wallet_switchEthereumChain'] },
    })
    await expect(adapter.switchNetwork({ network: page.networks[1] })).rejects.toBeInstanceOf(
      UserRejectedError,
    )
    expect(requests()).toEqual(['wallet_switchEthereumChain'])
  })

  test('§4.6.4 rejecting the new chain throws UserRejectedError', async () => {
    const { adapter } = await connected({
      ...onlyFirst(),
      faults: { reject: ['wallet_addEthereumChain'] },
    })
    await expect(adapter.switchNetwork({ network: page.networks[1] })).rejects.toBeInstanceOf(
      UserRejectedError,
    )
  })

  test.each([4902, 5000, -32603])(
    '§4.6.3/1 §4.6.3/2 §8.4/9 §8.11.5/1 §8.11.5/2 §8.11.5/3 after error code %i, the chain is added; if that fails, the chain is not supported',
    async (code) => {
      const { adapter, wallet, requests } = await connected(onlyFirst())
      intercept(wallet, async (args, pass) => {
        const answer = await pass(args).catch(() => undefined)
        if (args.method !== 'wallet_switchEthereumChain' && answer !== undefined) return answer
        throw Object.assign(new Error('User rejected, or so it says.'), { code })
      })
      wallet.controls.set({ fail: ['wallet_addEthereumChain'] })
      const error = await adapter
        .switchNetwork({ network: page.networks[1] })
        .catch((e: unknown) => e)
      expect(error).toBeInstanceOf(ChainNotSupportedError)
      expect(error).toMatchObject({ shortMessage: 'Chain is not supported' })
      expect(requests()).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
    },
  )

  test('throws if the wallet confirms the switch but is on another chain', async () => {
    const { adapter, newEvents, wallet } = await connected({ faults: { wrongChain: 'stay' } })
    await expect(adapter.switchNetwork({ network: page.networks[1] })).rejects.toMatchObject({
      name: 'ChainNotSupportedError',
      details: 'Halyard reported a switch to 31338 but is on 31337.',
    })
    expect(newEvents()).toEqual([
      {
        type: 'alert',
        code: 'SWITCH_REFUSED',
        values: {
          wallet: 'Halyard',
          network: 'Gatefold Second (eip155:31338)',
          message: 'Halyard reported a switch to 31338 but is on 31337.',
        },
      },
    ])
    wallet.controls.set({ wrongChain: 5 })
    await expect(adapter.switchNetwork({ network: page.networks[1] })).rejects.toBeInstanceOf(
      ChainNotSupportedError,
    )
    expect(newEvents().filter(({ type }) => type !== 'alert')).toEqual([
      { type: 'chainChanged', connectorId: halyard, caipNetworkId: 'eip155:5' },
    ])
  })

  test('§5.9.2 a network that is not configured is not requested', async () => {
    const { adapter, requests } = await connected()
    const unknownNetwork = toNetwork({ ...page.second, id: 7 })
    await expect(adapter.switchNetwork({ network: unknownNetwork })).rejects.toBeInstanceOf(
      NetworkNotFoundError,
    )
    expect(requests()).toEqual([])
  })
})

test('without a wallet, changes the network for reads', async () => {
  const { adapter } = page.adapter()
  await adapter.switchNetwork({ network: page.networks[1] })
  expect(adapter.config.state.chainId).toBe(31338)
})

test('a network that is added later can be used for reads and for a switch', async () => {
  page.wallet()
  const { adapter, list } = page.adapter({ networks: [page.networks[0]] })
  await adapter.connect({ connectorId: halyard })
  list.networks = page.networks
  adapter.networksChanged?.()
  await adapter.switchNetwork({ network: page.networks[1] })
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const { value } = await adapter.getBalance({ address, network: page.networks[1] })
  expect(value).toBeGreaterThan(0n)
})
