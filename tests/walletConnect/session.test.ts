import type { Kit } from '@gatefold/kit'
import {
  connect,
  disconnect,
  getAccount,
  getCallsStatus,
  getCapabilities,
  getProvider,
  sendCalls,
  signMessage,
  switchNetwork,
} from '@gatefold/kit/core'
import { evmConfig } from '@gatefold/kit/evm'
import { BaseError } from '@gatefold/protocol'
import * as wagmi from '@wagmi/core'
import type { EIP1193Provider } from 'viem'
import { describe, expect, test } from 'vitest'
import { grantOf } from './phone.ts'
import type { Phone } from './phone.ts'
import { uriOf, useFixture } from './site.ts'

const fixture = useFixture()

describe('requests', () => {
  const provider = (kit: Kit) =>
    getProvider(kit) as Promise<{
      request: (args: { method: string; params?: unknown }) => Promise<unknown>
    }>

  test('§6.3.1 reads are sent to the site’s node, requests that need a key to the phone', async () => {
    const { kit, phone } = await fixture.pair()
    const { request } = await provider(kit)
    expect(
      BigInt(
        (await request({
          method: 'eth_getBalance',
          params: [phone.addresses[0], 'latest'],
        })) as string,
      ),
    ).toBeGreaterThan(0n)
    expect(await request({ method: 'eth_chainId' })).toBe('0x7a69')
    expect(await request({ method: 'eth_accounts' })).toEqual(phone.addresses)
    expect(await request({ method: 'net_version' })).toBe('31337')
    expect(phone.log).toEqual([])
    const config = evmConfig(kit)
    const hash = await wagmi.sendTransaction(config, { to: phone.addresses[1]!, value: 1n })
    const { status } = await wagmi.waitForTransactionReceipt(config, { hash })
    expect(status).toBe('success')
    expect(phone.log).toEqual(['eip155:31337 eth_sendTransaction'])
  })

  test('§8.11.4 error: a rejection on the phone rejects the request', async () => {
    const { kit, phone } = await fixture.pair()
    for (const code of [4001, 5000]) {
      phone.answerWith(() => {
        throw Object.assign(new Error('User rejected.'), { code })
      })
      await expect(signMessage(kit, { message: 'hello' })).rejects.toMatchObject({
        code: 'wallet.user_rejected',
      })
      await expect(wagmi.signMessage(evmConfig(kit), { message: 'x' })).rejects.toMatchObject({
        name: 'UserRejectedRequestError',
      })
    }
  })

  test('§8.9.8 error: a method that the phone did not approve is not sent', async () => {
    const { kit, phone } = await fixture.pair({
      phone: { grant: grantOf(['31337'], ['wallet_getCallsStatus', 'wallet_sendCalls']) },
    })
    const { request } = await provider(kit)
    await expect(request({ method: 'wallet_getCallsStatus', params: ['0x1'] })).rejects.toThrow(
      'Fetching call status not approved by the wallet.',
    )
    await expect(request({ method: 'wallet_sendCalls', params: [{}] })).rejects.toMatchObject({
      code: 4200,
    })
    expect(phone.log).toEqual([])
  })

  test('§5.12.9 capabilities are requested once, and only with an address', async () => {
    const { kit, phone } = await fixture.pair()
    const { request } = await provider(kit)
    const method = 'wallet_getCapabilities'
    await expect(request({ method, params: [] })).rejects.toThrow(/Missing address parameter/)
    phone.answerWith(() => ({ '0x7a69': { atomic: { status: 'supported' } } }))
    const ask = () => request({ method, params: [phone.addresses[0]] })
    expect(await ask()).toEqual({ '0x7a69': { atomic: { status: 'supported' } } })
    await ask()
    expect(phone.log).toEqual([`eip155:31337 ${method}`])
  })

  test('capabilities that the session contains are not requested', async () => {
    const kit = await fixture.site()
    const phone = await fixture.phone()
    const connecting = connect(kit, { connectorId: 'walletConnect' })
    const proposal = await phone.scan(await uriOf(kit))
    const [account] = phone.addresses
    const own = { '0x7a69': { paymasterService: { supported: true } } }
    await phone.client.approve({
      id: proposal.id,
      namespaces: grantOf(['31337'])(proposal, phone.addresses),
      sessionProperties: { capabilities: JSON.stringify({ [account!]: own }) },
    })
    await connecting
    expect(await getCapabilities(kit)).toEqual(own)
    expect(phone.log).toEqual([])
  })

  test('calls are sent in one batch, and the phone returns their status', async () => {
    const { kit, phone } = await fixture.pair()
    const to = phone.addresses[1]!
    const sent: unknown[] = []
    phone.answerWith(({ params: { request } }) => {
      sent.push(request.params)
      return request.method === 'wallet_sendCalls'
        ? { id: '0x0102' }
        : { version: '2.0.0', id: '0x0102', chainId: '0x7a69', status: 100, atomic: true }
    })
    const { id } = await sendCalls(kit, {
      calls: [
        { to, value: 1n },
        { to, data: '0x12' },
      ],
    })
    expect(await getCallsStatus(kit, { id })).toMatchObject({ status: 100, atomic: true })
    expect(phone.log).toEqual([
      'eip155:31337 wallet_sendCalls',
      'eip155:31337 wallet_getCallsStatus',
    ])
    expect(sent).toMatchObject([
      [{ from: phone.addresses[0], chainId: '0x7a69', calls: [{ to, value: '0x1' }, { to }] }],
      ['0x0102'],
    ])
  })

  test('§8.9.6 §8.9.7 §8.9.9 error: reading from a chain without a usable RPC URL fails', async () => {
    const [local, second] = fixture.networks()
    const phone = { grant: grantOf(['31338', '7']) }
    const without = { ...second, rpcUrls: { default: { http: [] } } }
    const one = await fixture.pair({ site: { networks: [local, without] }, phone })
    const read = { method: 'eth_blockNumber' }
    await expect((await provider(one.kit)).request(read)).rejects.toThrow(
      'No RPC url provided for chainId: 31338',
    )
    const wrong = { ...second, rpcUrls: { default: { http: ['wss://rpc.example'] } } }
    const other = await fixture.pair({ site: { networks: [local, wrong] }, phone })
    await expect((await provider(other.kit)).request(read)).rejects.toThrow(
      'Provided URL is not compatible with HTTP connection: wss://rpc.example',
    )
    const [account] = one.phone.addresses
    const { eip155 } = one.phone.client.sessions()[0]!.namespaces
    await one.phone.client.update({
      topic: one.topic,
      namespaces: {
        eip155: { ...eip155!, chains: ['eip155:7'], accounts: [`eip155:7:${account}`] },
      },
    })
    await expect
      .poll(async () => (await provider(one.kit)).request(read).catch(String))
      .toContain('JSON-RPC provider for eip155:7 not found')
  })
})

describe('chains', () => {
  test('§5.12.8 switching to a chain that the phone approved sends no request', async () => {
    const { kit, phone } = await fixture.pair()
    await wagmi.switchChain(evmConfig(kit), { chainId: 31338 })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:31338')
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:31337' } })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:31337')
    await signMessage(kit, { message: 'hello' })
    expect(phone.log).toEqual(['eip155:31337 personal_sign'])
  })

  test('§5.12.8 §8.9.5/2 error: switching fails for a chain that the phone has not approved and cannot switch to', async () => {
    const { kit } = await fixture.pair({
      phone: {
        grant: grantOf(['31337'], ['wallet_switchEthereumChain', 'wallet_addEthereumChain']),
      },
    })
    expect(kit.getState().chains.eip155?.connections[0]?.approvedNetworkIds).toEqual([
      'eip155:31337',
    ])
    const failure = (await switchNetwork(kit, {
      network: { caipNetworkId: 'eip155:31338' },
    }).catch((error: unknown) => error)) as BaseError
    expect(failure.shortMessage).toBe('Chain is not supported')
    expect((failure.walk() as Error).message).toBe(
      "Failed to switch to chain 'eip155:31338'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
    )
  })

  test.each([4902, 5000, -32603])(
    '§4.6.3/1 §4.6.4 the chain is added if the phone rejects the switch with %i',
    async (code) => {
      const { kit, phone, topic } = await fixture.pair({ phone: { grant: grantOf(['31337']) } })
      const added: unknown[] = []
      phone.answerWith(async ({ params: { request } }) => {
        if (request.method === 'wallet_switchEthereumChain' && added.length === 0)
          throw Object.assign(new Error('Unknown chain'), { code })
        if (request.method === 'wallet_addEthereumChain') {
          added.push((request.params as [unknown])[0])
          await addSecondChain(phone, topic)
        }
        return null
      })
      await switchNetwork(kit, { network: { caipNetworkId: 'eip155:31338' } })
      expect(added).toMatchObject([{ chainId: '0x7a6a', rpcUrls: [expect.any(String)] }])
      expect(kit.getState().chains.eip155?.networkId).toBe('eip155:31338')
    },
  )

  test('§4.6.3/2 error: switching fails if the phone neither switches to the chain nor adds it', async () => {
    const { kit, phone } = await fixture.pair({ phone: { grant: grantOf(['31337']) } })
    phone.answerWith(() => {
      throw Object.assign(new Error('No.'), { code: 5000 })
    })
    await expect(
      switchNetwork(kit, { network: { caipNetworkId: 'eip155:31338' } }),
    ).rejects.toMatchObject({ shortMessage: 'Chain is not supported' })
    expect(phone.log.map((line) => line.split(' ')[1])).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
    ])
  })

  test('error: switching fails if the phone reports a switch but does not switch', async () => {
    const { kit, phone } = await fixture.pair({ phone: { grant: grantOf(['31337']) } })
    phone.answerWith(() => null)
    await expect(
      switchNetwork(kit, { network: { caipNetworkId: 'eip155:31338' } }),
    ).rejects.toMatchObject({ shortMessage: 'Chain is not supported' })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:31337')
  })
})

describe('events from the phone', () => {
  const emit = (phone: Phone, topic: string, name: string, data: unknown) =>
    phone.client.emit({ topic, chainId: 'eip155:31337', event: { name, data } })

  test('§4.1.8 §4.6.1 another chain, another account and no accounts are applied', async () => {
    const { kit, phone, topic } = await fixture.pair()
    const chain = () => kit.getState().chains.eip155
    await emit(phone, topic, 'chainChanged', 31338)
    await expect.poll(() => chain()?.networkId).toBe('eip155:31338')
    await emit(phone, topic, 'chainChanged', '0x7a69')
    await expect.poll(() => chain()?.networkId).toBe('eip155:31337')
    await emit(phone, topic, 'accountsChanged', [`eip155:31337:${phone.addresses[1]}`])
    await expect.poll(() => getAccount(kit.getState())?.address).toBe(phone.addresses[1])
    await emit(phone, topic, 'accountsChanged', [])
    await expect.poll(() => chain()?.status).toBe('disconnected')
  })

  test('error: an account and a chain that are not in the session are ignored', async () => {
    const { kit, phone, topic } = await fixture.pair()
    const stranger = '0x000000000000000000000000000000000000dEaD'
    await emit(phone, topic, 'accountsChanged', [stranger])
    await emit(phone, topic, 'chainChanged', 7)
    await emit(phone, topic, 'accountsChanged', [phone.addresses[1]])
    await expect.poll(() => getAccount(kit.getState())?.address).toBe(phone.addresses[1])
    expect(kit.getState().chains.eip155).toMatchObject({
      networkId: 'eip155:31337',
      unsupportedNetworkId: undefined,
    })
    const accounts = evmConfig(kit).state.connections.values().next().value?.accounts
    expect(accounts).not.toContain(stranger)
  })

  test('§4.1.8 are also handled by a site without adapters', async () => {
    const { kit, phone, topic } = await fixture.pair({ site: { adapters: [] } })
    const address = () => getAccount(kit.getState())?.address
    expect(address()).toBe(phone.addresses[0])
    await emit(phone, topic, 'accountsChanged', [`eip155:31337:${phone.addresses[1]}`])
    await expect.poll(address).toBe(phone.addresses[1])
    const { eip155 } = phone.client.sessions()[0]!.namespaces
    const only = [`eip155:31337:${phone.addresses[0]}`]
    await phone.client.update({ topic, namespaces: { eip155: { ...eip155!, accounts: only } } })
    await expect.poll(address).toBe(phone.addresses[0])
    await emit(phone, topic, 'accountsChanged', [])
    await expect.poll(address).toBeUndefined()
  })

  test('§4.1.8 removing every account from the session disconnects the page', async () => {
    const { kit, phone, topic } = await fixture.pair()
    const { eip155 } = phone.client.sessions()[0]!.namespaces
    await phone.client.update({
      topic,
      namespaces: { eip155: { ...eip155!, chains: [], accounts: [] } },
    })
    await expect.poll(() => kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(evmConfig(kit).state.connections.size).toBe(0)
  })

  test('§4.1.7 when the phone ends the session, an open card shows the reason', async () => {
    const { kit, phone, topic } = await fixture.pair()
    void kit.open()
    await phone.client.disconnect({ topic, reason: { code: 6000, message: 'Bye.' } })
    await expect.poll(() => kit.getState().chains.eip155?.status).toBe('disconnected')
    const { view, toast } = kit.getState()
    expect(view).toMatchObject({ open: true, history: [{ name: 'Connect' }] })
    expect(toast?.message).toBe('Orrery ended the connection')
    expect(evmConfig(kit).state.connections.size).toBe(0)
  })

  test('§4.1.6 when the site ends the session, the phone is notified', async () => {
    const { kit, phone } = await fixture.pair()
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await disconnect(kit)
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(await deleted).toMatchObject({ reason: { code: 6000 } })
    expect(phone.client.sessions()).toEqual([])
  })

  test.each(['site', 'phone'])(
    'the provider emits `disconnect` with the code 4900 (EIP-1193) when the %s ends the session',
    async (side) => {
      const { kit, phone, topic } = await fixture.pair()
      const provider = (await getProvider(kit)) as EIP1193Provider
      const codes: number[] = []
      provider.on('disconnect', ({ code }) => codes.push(code))
      if (side === 'site') await disconnect(kit)
      else await phone.client.disconnect({ topic, reason: { code: 6000, message: 'Bye.' } })
      await expect.poll(() => codes).toEqual([4900])
    },
  )

  test('disconnecting rejects a request that the phone has not answered', async () => {
    const { kit, phone } = await fixture.pair()
    phone.answerWith(() => new Promise(() => {}))
    const signing = signMessage(kit, { message: 'hello' })
    signing.catch(() => {})
    await expect.poll(() => phone.log).toHaveLength(1)
    await disconnect(kit)
    await expect(signing).rejects.toBeInstanceOf(BaseError)
  })
})

/** Adds the second chain to the phone's session. */
async function addSecondChain(phone: Phone, topic: string): Promise<void> {
  const { eip155 } = phone.client.sessions().find((session) => session.topic === topic)!.namespaces
  const both = ['eip155:31337', 'eip155:31338']
  const { acknowledged } = await phone.client.update({
    topic,
    namespaces: {
      eip155: {
        ...eip155!,
        chains: both,
        accounts: both.flatMap((chain) => phone.addresses.map((address) => `${chain}:${address}`)),
      },
    },
  })
  await acknowledged()
}
