import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism, sepolia } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { toNetwork } from '../networks/Network.ts'
import { toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { getNfts } from './nfts.ts'

const { start } = useKits()

const contract = `0x${'5c'.repeat(20)}`
const plate = {
  id: `eip155:1/erc721:${contract}/4`,
  standard: 'erc721',
  contract: `eip155:1:${contract}`,
  tokenId: '4',
  amount: '1',
  name: 'Plate 4',
  collection: 'Plates of the Book',
  description: 'A picture plate.',
  attributes: [{ name: 'Hue', value: '276' }],
  imageUrl: 'https://gate.example/v1/images/nft/eip155:1/erc721:0x/4?v=1',
  isSpam: false,
}
const lamp = { ...plate, id: `eip155:10/erc721:${contract}/9`, tokenId: '9', name: 'Lamp' }

type Answer = (chainId: string, cursor: string | undefined) => Promise<object>

/** A kit with three networks, whose gateway answers with the pages of `answer`. */
async function site(answer: Answer) {
  const request = vi.fn<GatewayClient['request']>(async (_path, options) => ({
    ...(await answer(options!.query!.chainId!, options?.query?.cursor)),
  }))
  const started = start(
    { networks: [mainnet, optimism, sepolia] },
    { request, analyticsEnabled: async () => false },
  )
  await connect(started.kit, { connectorId: started.wallets.ids[0] })
  return { ...started, request }
}

const empty = { nfts: [] }
const onMainnet =
  (...nfts: unknown[]): Answer =>
  async (chainId) =>
    chainId === 'eip155:1' ? { nfts } : empty

test('the NFTs of the account on all networks of the site, network by network', async () => {
  const { kit, request, wallets } = await site(async (chainId) =>
    chainId === 'eip155:1' ? { nfts: [plate] } : chainId === 'eip155:10' ? { nfts: [lamp] } : empty,
  )
  const page = await getNfts(kit)
  expect(request.mock.calls.map(([path, options]) => [path, options?.query?.chainId])).toEqual(
    ['eip155:1', 'eip155:10', 'eip155:11155111'].map((id) => [
      `/v1/account/${wallets.address(0)}/nfts`,
      id,
    ]),
  )
  expect(page.nfts.map(({ network, ...nft }) => ({ ...nft, network: network.name }))[0]).toEqual({
    id: plate.id,
    network: 'Ethereum',
    address: contract,
    tokenId: '4',
    amount: '1',
    name: 'Plate 4',
    collection: 'Plates of the Book',
    description: 'A picture plate.',
    attributes: plate.attributes,
    image: plate.imageUrl,
    isSpam: false,
  })
  expect(page.nfts.map(({ name }) => name)).toEqual(['Plate 4', 'Lamp'])
  expect(page).toMatchObject({ next: undefined, failed: [] })
})

test('the next page is requested only for the networks that have more', async () => {
  const { kit, request } = await site(async (chainId, cursor) =>
    cursor === 'a'
      ? { nfts: [lamp] }
      : chainId === 'eip155:10'
        ? { ...empty, nextCursor: 'a' }
        : empty,
  )
  const { next } = await getNfts(kit)
  expect(next).toEqual({ 'eip155:10': 'a' })
  request.mockClear()
  const page = await getNfts(kit, { cursor: next })
  expect(request.mock.calls.map(([, options]) => options?.query)).toEqual([
    { chainId: 'eip155:10', cursor: 'a' },
  ])
  expect(page.nfts.map(({ name }) => name)).toEqual(['Lamp'])
  expect(page.next).toBeUndefined()
})

test('a network that the gateway does not serve has no NFTs', async () => {
  const { kit, request } = await site(async (chainId) => {
    if (chainId === 'eip155:1') return { nfts: [plate] }
    throw new GatewayError('not supported', { status: 400, field: 'chainId' })
  })
  expect(await getNfts(kit)).toMatchObject({ nfts: [{ name: 'Plate 4' }], failed: [] })
  // It is not requested again.
  request.mockClear()
  expect(await getNfts(kit)).toMatchObject({ nfts: [{ name: 'Plate 4' }] })
  expect(request).toHaveBeenCalledOnce()
})

test('a network that fails is named, and the others are listed', async () => {
  const { kit } = await site(async (chainId) => {
    if (chainId === 'eip155:10') throw new GatewayError('unavailable', { status: 503 })
    return onMainnet(plate)(chainId, undefined)
  })
  const { nfts, failed } = await getNfts(kit)
  expect(nfts).toHaveLength(1)
  expect(failed.map(({ name }) => name)).toEqual(['OP Mainnet'])
})

test('only the networks of the account’s chain family are requested', async () => {
  const { kit, request } = await site(async () => empty)
  kit.dispatch({
    type: 'networks.changed',
    networks: [kit.getState().networks[0]!, toNetwork(toyNetworks[0]!)],
  })
  await getNfts(kit)
  expect(request.mock.calls.map(([, options]) => options?.query?.chainId)).toEqual(['eip155:1'])
})

test('an NFT without a name has the name of its collection and its id', async () => {
  const nameOf = async (change: object) => {
    const { kit } = await site(onMainnet({ ...plate, name: '', ...change }))
    return (await getNfts(kit)).nfts[0]?.name
  }
  expect(await nameOf({})).toBe('Plates of the Book #4')
  expect(await nameOf({ collection: null })).toBe('#4')
})

test('a property needs a name and a value', async () => {
  const attributesOf = async (attributes: unknown) => {
    const { kit } = await site(onMainnet({ ...plate, attributes }))
    return (await getNfts(kit)).nfts[0]?.attributes
  }
  const [hue] = plate.attributes
  const incomplete = [null, { name: 'a' }, { value: 'b' }, { name: 'a', value: 7 }]
  expect(await attributesOf([...incomplete, hue])).toEqual([hue])
  expect(await attributesOf('many')).toEqual([])
})

test('an NFT that looks like advertising is spam; a token id can have 78 digits', async () => {
  const tokenId = '1'.repeat(78)
  const { kit } = await site(
    onMainnet({ ...plate, isSpam: true, tokenId }, { ...plate, isSpam: 1 }),
  )
  expect((await getNfts(kit)).nfts).toMatchObject([{ isSpam: true, tokenId }, { isSpam: false }])
})

test('a cursor that is not text is the end of the list', async () => {
  const { kit } = await site(async () => ({ ...empty, nextCursor: 7 }))
  expect((await getNfts(kit)).next).toBeUndefined()
})

test.each([
  ['another status', { status: 404, field: 'chainId' }],
  ['another field', { status: 400, field: 'cursor' }],
])('a refusal with %s is a failure of the network', async (_, refusal) => {
  const { kit } = await site(async (chainId) => {
    if (chainId === 'eip155:10') throw new GatewayError('refused', refusal)
    return empty
  })
  expect((await getNfts(kit)).failed.map(({ name }) => name)).toEqual(['OP Mainnet'])
})

test('without networks of its chain family, an account has no NFTs', async () => {
  const { kit, request } = await site(async () => empty)
  expect(await getNfts(kit, { cursor: {} })).toEqual({ nfts: [], next: undefined, failed: [] })
  expect(request).not.toHaveBeenCalled()
})

describe('error:', () => {
  test('the gateway’s error, if it fails for every network', async () => {
    const { kit } = await site(async () => {
      throw new GatewayError('not found', { status: 404 })
    })
    await expect(getNfts(kit)).rejects.toMatchObject({ status: 404 })
  })

  test('a response that is not a list', async () => {
    const { kit } = await site(async () => ({ nfts: 'none' }))
    await expect(getNfts(kit)).rejects.toThrow('The gateway sent a malformed list of NFTs.')
  })

  test('without a gateway', async () => {
    const { kit, wallets } = start({ networks: [mainnet] })
    await connect(kit, { connectorId: wallets.ids[0] })
    await expect(getNfts(kit)).rejects.toThrow('needs the option endpoints.gateway.')
  })

  test.each([
    ['another network', { id: `eip155:5/erc721:${contract}/4` }],
    ['no contract', { contract: undefined }],
    ['no id', { id: 4 }],
    ['a token id that is not a number', { tokenId: '0x4' }],
    ['a token id that is a JSON number', { tokenId: 4 }],
    ['a token id that is too long', { tokenId: '1'.repeat(79) }],
    ['no token id', { tokenId: '' }],
    ['a fraction of an NFT', { amount: '0.5' }],
  ])('an NFT with %s is left out', async (_what, wrong) => {
    const { kit } = await site(onMainnet(null, { ...plate, ...wrong }))
    expect((await getNfts(kit)).nfts).toEqual([])
  })
})

describe('attack:', () => {
  test('attack: a picture on another host is not requested', async () => {
    const { kit } = await site(
      onMainnet({ ...plate, imageUrl: 'https://tracker.example/pixel.png' }),
    )
    expect((await getNfts(kit)).nfts[0]?.image).toBeUndefined()
  })

  test('attack: texts are short and have no invisible characters', async () => {
    const { kit } = await site(
      onMainnet({
        ...plate,
        name: `\u202E${'x'.repeat(5_000)}`,
        description: 'y'.repeat(5_000),
        attributes: Array.from({ length: 500 }, () => ({ name: 'a\u200B', value: 'b' })),
      }),
    )
    const [nft] = (await getNfts(kit)).nfts
    expect(nft?.name).toBe('x'.repeat(100))
    expect(nft?.description).toHaveLength(1_000)
    expect(nft?.attributes).toHaveLength(50)
    expect(nft?.attributes[0]).toEqual({ name: 'a', value: 'b' })
  })
})
