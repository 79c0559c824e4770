import type { Kit, NetworkInput } from '@gatefold/kit'
import {
  addNetwork,
  connect,
  disconnect,
  getAccount,
  getSession,
  signMessage,
} from '@gatefold/kit/core'
import { evm, evmConfig } from '@gatefold/kit/evm'
import * as wagmi from '@wagmi/core'
import { verifyMessage } from 'viem'
import { describe, expect, test } from 'vitest'
import { selectWallet } from '../../packages/kit/src/core/connection/connect.ts'
import { instanceOf } from '../../packages/kit/src/core/kit/Kit.ts'
import { grantOf } from './phone.ts'
import { uriOf, useFixture } from './site.ts'

const fixture = useFixture()

const solana = {
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  chainNamespace: 'solana',
  caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  deprecatedCaipNetworkId: 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: [] } },
} as const satisfies NetworkInput

const solanaAddress = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

/** Options for a site and a phone with an EVM chain and Solana. The site has no adapters. */
const twoFamilies = (): Required<NonNullable<Parameters<typeof fixture.pair>[0]>> => ({
  site: { adapters: [], networks: [fixture.networks()[0], solana] },
  phone: {
    grant: (proposal, addresses) => ({
      ...grantOf(['31337'])(proposal, addresses),
      solana: {
        ...proposal.optionalNamespaces.solana!,
        accounts: [`${solana.caipNetworkId}:${solanaAddress}`],
      },
    }),
  },
})

const familyAccounts = (kit: Kit) => () =>
  (['eip155', 'solana'] as const).map(
    (namespace) => getAccount(kit.getState(), namespace)?.caipAddress,
  )

test('§4.1.5 §7.13.1 a phone connects and signs', async () => {
  const { kit, phone, account } = await fixture.pair()
  expect(account.caipAddress).toBe(`eip155:31337:${phone.addresses[0]}`)
  expect(evmConfig(kit).state.status).toBe('connected')
  const signature = await signMessage(kit, { message: 'hello' })
  expect(
    await verifyMessage({
      address: phone.addresses[0]!,
      message: 'hello',
      signature: signature as `0x${string}`,
    }),
  ).toBe(true)
  expect(phone.log).toEqual(['eip155:31337 personal_sign'])
  expect(getAccount(kit.getState())?.address).toBe(phone.addresses[0])
})

describe('connecting', () => {
  test('§8.11.4 error: the visitor declines on the phone; a second attempt succeeds', async () => {
    const kit = await fixture.site()
    const phone = await fixture.phone()
    const first = connect(kit, { connectorId: 'walletConnect' })
    first.catch(() => {})
    await phone.reject(await phone.scan(await uriOf(kit)))
    await expect(first).rejects.toMatchObject({ code: 'wallet.user_rejected' })
    expect(kit.getState().attempt?.status).toBe('rejected')

    const second = connect(kit, { connectorId: 'walletConnect' })
    await phone.approve(await phone.scan(await uriOf(kit)))
    expect((await second).address).toBe(phone.addresses[0])
    expect(kit.getState().attempt).toBeUndefined()
  })

  // 5001 to 5003: the visitor declined the chains, methods or events. @see CAIP-25
  test.each([4001, 5001, 5002, 5003])(
    '§8.11.4 error: a phone that rejects the session with %i shows that the visitor declined',
    async (code) => {
      const kit = await fixture.site()
      const phone = await fixture.phone()
      const connecting = connect(kit, { connectorId: 'walletConnect' })
      connecting.catch(() => {})
      await phone.reject(await phone.scan(await uriOf(kit)), code)
      await expect(connecting).rejects.toMatchObject({ code: 'wallet.user_rejected' })
      expect(kit.getState().attempt?.status).toBe('rejected')
    },
  )

  test('§8.3 error: connecting fails if the phone shares no account, even while another wallet is connected', async () => {
    const kit = await fixture.site()
    const phone = await fixture.phone()
    instanceOf(kit).dispatch({
      type: 'connection.connected',
      namespace: 'eip155',
      connection: {
        connectorId: 'halyard',
        accounts: [{ namespace: 'eip155', address: phone.addresses[0]!, type: 'eoa' }],
        caipNetworkId: 'eip155:31337',
      },
      active: true,
    })
    const connecting = connect(kit, { connectorId: 'walletConnect' })
    connecting.catch(() => {})
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    const proposal = await phone.scan(await uriOf(kit))
    await phone.approve(proposal, {
      eip155: { chains: ['eip155:31337'], accounts: [], methods: ['personal_sign'], events: [] },
    })
    await expect(connecting).rejects.toMatchObject({ code: 'wallet.no_account' })
    expect(kit.getState().attempt?.status).toBe('failed')
    await deleted
  })

  test('error: a late approval for an aborted attempt does not connect the page', async () => {
    const kit = await fixture.site()
    const phone = await fixture.phone()
    void kit.open().catch(() => {})
    const connecting = connect(kit, { connectorId: 'walletConnect' })
    connecting.catch(() => {})
    const proposal = await phone.scan(await uriOf(kit))
    kit.close()
    await expect(connecting).rejects.toMatchObject({ code: 'modal.closed' })
    const grant = grantOf(['31337'])(proposal, phone.addresses)
    await phone.client.approve({ id: proposal.id, namespaces: grant }).catch(() => {})
    // Once a later connection succeeds, earlier messages have been handled.
    const again = connect(kit, { connectorId: 'walletConnect' })
    const topic = await phone.approve(await phone.scan(await uriOf(kit)))
    await again
    expect(getSession(kit.getState(), 'walletConnect')?.id).toBe(topic)
    await disconnect(kit)
    expect(getAccount(kit.getState())).toBeUndefined()
    expect(getSession(kit.getState(), 'walletConnect')).toBeUndefined()
  })

  test('a URI is created without the relay, and the attempt reports the relay as offline', async () => {
    const kit = await fixture.site({ endpoints: { relay: 'http://localhost:9' } })
    connect(kit, { connectorId: 'walletConnect' }).catch(() => {})
    expect(await uriOf(kit)).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    await expect.poll(() => kit.getState().attempt?.progress?.offline).toBe(true)
    expect(kit.getState().attempt?.status).toBe('waiting')
    // A second attempt also reports the relay as offline.
    const { id } = kit.getState().attempt!
    connect(kit, { connectorId: 'walletConnect' }).catch(() => {})
    await expect
      .poll(() => kit.getState().attempt)
      .toMatchObject({ id: id + 1, status: 'waiting', progress: { offline: true } })
  })

  test('§8.8.2 error: a relay that refuses the site raises an alert with the reason', async () => {
    const kit = await fixture.site({ projectId: 'unknown', debug: true })
    await expect(connect(kit, { connectorId: 'walletConnect' })).rejects.toThrow(/invalid key/)
    expect(kit.getState().attempt?.status).toBe('failed')
    await expect
      .poll(() => kit.getState().alerts)
      .toMatchObject([{ code: 'INVALID_PROJECT_ID', hint: expect.stringContaining('localhost') }])
  })

  test('§2.6.2 without adapters, the page connects to a phone', async () => {
    const kit = await fixture.site({ adapters: [] })
    const phone = await fixture.phone()
    const connecting = connect(kit, { connectorId: 'walletConnect', namespace: 'eip155' })
    await phone.approve(await phone.scan(await uriOf(kit)))
    expect((await connecting).caipAddress).toBe(`eip155:31337:${phone.addresses[0]}`)
  })

  test('wagmi’s connector connects without the modal, and emits the URI as a message', async () => {
    const kit = await fixture.site()
    const phone = await fixture.phone()
    const config = evmConfig(kit)
    const connector = config.connectors.find(({ id }) => id === 'walletConnect')!
    const shown = new Promise<string>((resolve) =>
      connector.emitter.on('message', ({ type, data }) => {
        if (type === 'display_uri') resolve(data as string)
      }),
    )
    const connecting = wagmi.connect(config, { connector })
    await phone.approve(await phone.scan(await shown))
    expect((await connecting).accounts).toEqual(phone.addresses)
    expect(getAccount(kit.getState())?.address).toBe(phone.addresses[0])
  })

  test('if the site has a wagmi connector with the same id, that connector is used and no URI is created', async () => {
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const own = wagmi.createConnector((config) => ({
      ...wagmi.mock({ accounts: [account] })(config),
      id: 'walletConnect',
    }))
    const kit = await fixture.site({ adapters: [evm({ connectors: [own] })] })
    expect((await connect(kit, { connectorId: 'walletConnect' })).address).toBe(account)
    expect(kit.getState().attempt).toBeUndefined()
    await disconnect(kit)
    void kit.open()
    // A wallet in the directory that would need the relay.
    selectWallet(instanceOf(kit), { id: 'orrery', name: 'Orrery', mobile_link: 'orrery://' })
    expect(kit.getState().view.history.at(-1)?.name).toBe('Downloads')
  })

  test('§4.6.5 a session that was proposed for other chains is ended, and the next one is proposed for the current chains', async () => {
    const [local, second] = fixture.networks()
    const { kit, phone } = await fixture.pair({ site: { networks: [local] } })
    expect(await instanceOf(kit).connectors.get('walletConnect')?.restore()).toBeDefined()
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    addNetwork(kit, second)
    expect(await instanceOf(kit).connectors.get('walletConnect')?.restore()).toBeUndefined()
    await deleted
    expect(getAccount(kit.getState())).toBeUndefined()
    // The next session is proposed for the current chains.
    const again = connect(kit, { connectorId: 'walletConnect' })
    const proposal = await phone.scan(await uriOf(kit))
    expect(proposal.optionalNamespaces.eip155?.chains).toEqual(['eip155:31337', 'eip155:31338'])
    await phone.approve(proposal)
    await again
    expect(await instanceOf(kit).connectors.get('walletConnect')?.restore()).toBeDefined()
  })

  test('one session connects every chain family that the wallet grants, and disconnects all of them when it ends', async () => {
    const { site, phone: options } = twoFamilies()
    const kit = await fixture.site(site)
    const phone = await fixture.phone(options)
    const connecting = connect(kit, { connectorId: 'walletConnect', namespace: 'eip155' })
    const proposal = await phone.scan(await uriOf(kit))
    expect(
      Object.entries(proposal.optionalNamespaces).map(([family, { chains }]) => [family, chains]),
    ).toEqual([
      ['eip155', ['eip155:31337']],
      ['solana', [solana.caipNetworkId, solana.deprecatedCaipNetworkId]],
    ])
    const topic = await phone.approve(proposal)
    await connecting
    const accounts = familyAccounts(kit)
    expect(accounts()).toEqual([
      `eip155:31337:${phone.addresses[0]}`,
      `${solana.caipNetworkId}:${solanaAddress}`,
    ])
    expect(phone.client.sessions()).toHaveLength(1)
    await phone.client.disconnect({ topic, reason: { code: 6000, message: 'Bye.' } })
    await expect.poll(accounts).toEqual([undefined, undefined])
  })

  test('§4.1.8 when the wallet has revoked one chain family and then the other, the session ends', async () => {
    const { kit, phone, topic } = await fixture.pair(twoFamilies())
    const accounts = familyAccounts(kit)
    const { namespaces } = phone.client.sessions()[0]!
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await phone.client.update({
      topic,
      namespaces: { ...namespaces, eip155: { ...namespaces.eip155!, accounts: [] } },
    })
    await expect.poll(accounts).toEqual([undefined, `${solana.caipNetworkId}:${solanaAddress}`])
    await phone.client.update({
      topic,
      namespaces: {
        eip155: { ...namespaces.eip155!, accounts: [] },
        solana: { ...namespaces.solana!, accounts: [] },
      },
    })
    await expect.poll(accounts).toEqual([undefined, undefined])
    expect(await deleted).toMatchObject({ topic })
  })

  test('a site with one adapter proposes only chains of the adapter’s family', async () => {
    const kit = await fixture.site({ networks: [fixture.networks()[0], solana] })
    const phone = await fixture.phone()
    connect(kit, { connectorId: 'walletConnect' }).catch(() => {})
    const proposal = await phone.scan(await uriOf(kit))
    expect(Object.keys(proposal.optionalNamespaces)).toEqual(['eip155'])
    expect(proposal.requiredNamespaces).toEqual({})
  })
})
