import { describe, expect, test, vi } from 'vitest'
import { sepolia } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { useKits } from '../testing/useKits.ts'
import { getActivity } from './activity.ts'

const { start } = useKits()

const sent = {
  id: '1',
  metadata: {
    operationType: 'send',
    hash: '0xabc',
    chain: 'eip155:1',
    minedAt: '2026-11-20T10:00:00Z',
    sentFrom: '0xfrom',
    sentTo: '0xto',
    status: 'confirmed',
    nonce: 7,
  },
  transfers: [
    {
      fungible_info: {
        name: 'Ether',
        symbol: 'ETH',
        icon: { url: '/public/getTokenImage/ETH' },
        flags: { is_spam: false },
      },
      direction: 'out',
      quantity: { numeric: '0.25' },
    },
  ],
}
const withMetadata = (change: object) => ({ ...sent, metadata: { ...sent.metadata, ...change } })
const withTransfer = (change: object) => ({
  ...sent,
  transfers: [{ ...sent.transfers[0], ...change }],
})

async function read(data: unknown, more: object = {}, options: Parameters<typeof start>[0] = {}) {
  const request = vi.fn<GatewayClient['request']>(async () => ({ data, ...more }))
  const site = start(options, { request, analyticsEnabled: async () => false })
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  return { ...site, request, page: await getActivity(site.kit, { cursor: 'a' }) }
}

test('§7.8.3 a page of the history of the account on the active network', async () => {
  const { page, request, wallets } = await read([sent], { next: 'b' })
  expect(request.mock.calls[0]?.[0]).toBe(`/v1/account/${wallets.address(0)}/history`)
  expect(request.mock.calls[0]?.[1]?.query).toEqual({
    chainId: 'eip155:1',
    currency: 'usd',
    cursor: 'a',
  })
  expect(page.next).toBe('b')
  expect(page.activities).toMatchObject([
    {
      id: '1',
      type: 'send',
      status: 'confirmed',
      hash: '0xabc',
      network: { caipNetworkId: 'eip155:1' },
      time: Date.UTC(2026, 10, 20, 10),
      from: '0xfrom',
      to: '0xto',
      transfers: [
        {
          direction: 'out',
          name: 'ETH',
          amount: '0.25',
          isNft: false,
          image: 'https://gate.example/public/getTokenImage/ETH',
        },
      ],
      isSpam: false,
    },
  ])
})

test.each([
  'approve',
  'burn',
  'cancel',
  'deploy',
  'deposit',
  'execute',
  'mint',
  'receive',
  'send',
  'trade',
  'withdraw',
])('a transaction can be of the type %s', async (operationType) => {
  const { page } = await read([withMetadata({ operationType })])
  expect(page.activities.map(({ type }) => type)).toEqual([operationType])
})

test.each(['in', 'out', 'self'])('a transfer can have the direction %s', async (direction) => {
  const { page } = await read([withTransfer({ direction })])
  expect(page.activities[0]?.transfers[0]?.direction).toBe(direction)
})

test('a failed transaction is marked, and unknown addresses are empty', async () => {
  const { page } = await read([
    withMetadata({ status: 'failed', sentFrom: undefined, sentTo: 7 }),
    sent,
  ])
  expect(page.activities).toMatchObject([
    { status: 'failed', from: '', to: '' },
    { status: 'confirmed' },
  ])
})

test('amounts can have 90 digits before and after the point', async () => {
  const numeric = `${'1'.repeat(90)}.${'1'.repeat(90)}`
  const { page } = await read([withTransfer({ quantity: { numeric } })])
  expect(page.activities[0]?.transfers[0]?.amount).toBe(numeric)
})

test('pictures are optional', async () => {
  const nft = (content: unknown) => ({
    nft_info: { name: 'Plate 12', content },
    direction: 'in',
    quantity: { numeric: '1' },
  })
  const fungible = { symbol: 'ETH', icon: null, flags: null }
  const transfers = [
    nft(undefined),
    nft({ preview: null }),
    { ...sent.transfers[0], fungible_info: fungible },
  ]
  const { page } = await read([{ ...sent, transfers }])
  const shown = page.activities[0]!.transfers.map(({ name, image }) => [name, image])
  expect(shown).toEqual(['Plate 12', 'Plate 12', 'ETH'].map((name) => [name, undefined]))
  expect(page.activities[0]?.isSpam).toBe(false)
})

test('§9.3.4/2 transfers on a test network have no value', async () => {
  const transfers = [{ ...sent.transfers[0], value: 900 }]
  const transaction = { ...withMetadata({ chain: `eip155:${sepolia.id}` }), transfers }
  const { page } = await read([transaction], { currency: 'USD' }, { networks: [sepolia] })
  expect(page.activities[0]?.transfers).toMatchObject([{ amount: '0.25', value: undefined }])
})

test('a transfer has its value at that time, if the gateway knows it in the currency', async () => {
  const valueOf = async (change: object, more: object = {}) => {
    const { page } = await read([withTransfer(change)], { currency: 'USD', ...more })
    return page.activities[0]?.transfers[0]?.value
  }
  expect(await valueOf({ value: 900.25 })).toBe('900.25')
  expect(await valueOf({})).toBeUndefined()
  expect(await valueOf({ value: '900' })).toBeUndefined()
  expect(await valueOf({ value: Number.NaN })).toBeUndefined()
  // An older gateway has values in US dollars only, and does not say so.
  expect(await valueOf({ value: 900.25 }, { currency: undefined })).toBeUndefined()
  expect(await valueOf({ value: 900.25 }, { currency: 'EUR' })).toBeUndefined()
})

test.each([null, undefined, '', 7])(
  'a page whose next cursor is %j is the last one',
  async (next) => {
    expect((await read([sent], { next })).page.next).toBeUndefined()
  },
)

test('a transaction that moved only spam is spam', async () => {
  const nft = (isSpam: boolean) => ({
    nft_info: { name: 'Plate 12', flags: { is_spam: isSpam } },
    direction: 'in',
    quantity: { numeric: '1' },
  })
  const { page } = await read([
    { ...sent, id: 'a', transfers: [nft(true)] },
    { ...sent, id: 'b', transfers: [nft(true), ...sent.transfers] },
  ])
  expect(page.activities.map(({ id, isSpam }) => [id, isSpam])).toEqual([
    ['a', true],
    ['b', false],
  ])
  expect(page.activities[0]?.transfers[0]).toMatchObject({ name: 'Plate 12', isNft: true })
})

test('the picture of an NFT is on the gateway', async () => {
  const nft = (url: unknown) => ({
    nft_info: { name: 'Plate 12', flags: { is_spam: false }, content: { preview: { url } } },
    direction: 'in',
    quantity: { numeric: '1' },
  })
  const own = 'https://gate.example/v1/images/nft/eip155:1/erc721:0x/1?v=1&size=128'
  const urls = [own, 'https://tracker.example/pixel.png', 7]
  const { page } = await read([{ ...sent, transfers: urls.map(nft) }])
  expect(page.activities[0]?.transfers.map(({ image }) => image)).toEqual([
    own,
    undefined,
    undefined,
  ])
})

describe('a gateway that lies', () => {
  test.each([
    ['another network', withMetadata({ chain: 'eip155:10' })],
    ['an unknown operation', withMetadata({ operationType: 'steal' })],
    ['an invalid time', withMetadata({ minedAt: 'yesterday' })],
    ['no id', { ...sent, id: 7 }],
    ['no hash', withMetadata({ hash: undefined })],
    ['a time that is a number', withMetadata({ minedAt: 0 })],
    ['no metadata', { ...sent, metadata: null }],
    ['no transfers', { ...sent, transfers: [] }],
    ['transfers that are not a list', { ...sent, transfers: {} }],
    ['a negative amount', withTransfer({ quantity: { numeric: '-1' } })],
    ['an amount that is a number', withTransfer({ quantity: { numeric: 1 } })],
    ['an amount with text before it', withTransfer({ quantity: { numeric: 'x1' } })],
    ['an amount with text after it', withTransfer({ quantity: { numeric: '1x' } })],
    ['an amount without decimals after its point', withTransfer({ quantity: { numeric: '1.' } })],
    ['an amount that is too long', withTransfer({ quantity: { numeric: '1'.repeat(91) } })],
    ['too many decimals', withTransfer({ quantity: { numeric: `0.${'1'.repeat(91)}` } })],
    ['no amount', withTransfer({ quantity: null })],
    ['a transfer that is null', { ...sent, transfers: [null] }],
    ['an unknown direction', withTransfer({ direction: 'up' })],
    ['a transfer without a token', withTransfer({ fungible_info: undefined })],
    ['no transaction', null],
  ])('%s is left out', async (_, item) => {
    const { page } = await read([item, { ...sent, id: '2' }])
    expect(page.activities.map(({ id }) => id)).toEqual(['2'])
  })

  test('a name has one line without invisible characters, and pictures are the gateway’s', async () => {
    const fungible = { symbol: 'A\u202E\nB', icon: { url: 'https://tracker.example/1.png' } }
    const { page } = await read([withTransfer({ fungible_info: fungible })])
    expect(page.activities[0]?.transfers[0]).toMatchObject({ name: 'AB', image: undefined })
  })

  test('of a transaction, at most 20 transfers are kept', async () => {
    const transfers = Array.from({ length: 1_000 }, () => sent.transfers[0])
    const { page } = await read([{ ...sent, transfers }])
    expect(page.activities[0]?.transfers).toHaveLength(20)
  })

  test('error: a response without a list', async () => {
    await expect(read({})).rejects.toThrow('malformed history')
  })
})

test('error: activity needs a gateway', async () => {
  const { kit, wallets } = start()
  await connect(kit, { connectorId: wallets.ids[0] })
  await expect(getActivity(kit)).rejects.toThrow('endpoints.gateway')
})
