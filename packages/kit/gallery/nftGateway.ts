/** The account's NFTs by chain id. */
const collections: Record<string, readonly [name: string, collection: string, more?: object][]> = {
  'eip155:1': [
    [
      'Plate 12',
      'Codex Plates',
      {
        description: 'Number 12 of 64. Folded paper, drawn from one week of readings.',
        attributes: [
          { name: 'Paper', value: 'Laid' },
          { name: 'Folds', value: '7' },
          { name: 'Printed in', value: 'Northern Archipelago' },
        ],
      },
    ],
    ['Rosette 404', 'Rosettes'],
    ['Lamp', 'Codex Plates', { standard: 'erc1155', amount: '3' }],
    ['Rosette 11', 'Rosettes', { imageUrl: '/v1/images/nft/missing' }],
    ['Unwritten', ''],
    ['Claim at plate-gift.example', 'Gift', { isSpam: true }],
  ],
  'eip155:10': [
    ['Cold Harbour', 'Tide Tables'],
    ['Understory', 'Tide Tables'],
  ],
}

/** 60 NFTs with long texts and numbers. */
const long = Array.from({ length: 60 }, (_, index) => {
  const name = `The lighthouse of the northern archipelago in the first light, part ${index + 1}`
  const more = { standard: 'erc1155', amount: index % 2 ? '1' : `9${'0'.repeat(index)}` }
  return [name, 'Readings of the tide at every harbour of the archipelago', more] as const
})

const contract = `0x${'5c1d'.padEnd(40, '3')}`

/** The id of an NFT by its number on a network. Every third token id is long. */
export function nftId(number: number, chain = 'eip155:1'): string {
  const tokenId = number % 3 ? number : `1${String(number).padStart(29, '0')}`
  return `${chain}/erc721:${contract}/${tokenId}`
}

/**
 * A page of 24 NFTs. Modes: `empty` has no NFTs, `partial` lacks a network,
 * `long` has many with long names, and `noNfts` does not serve NFTs.
 */
export function nfts({ searchParams }: URL, mode: string): { status: number; body: unknown } {
  const chain = searchParams.get('chainId') ?? ''
  if (mode === 'noNfts') return { status: 404, body: {} }
  if (mode === 'partial' && chain === 'eip155:10')
    return { status: 503, body: { reasons: [{ description: 'The chain cannot be read.' }] } }
  const first = chain === 'eip155:1'
  const list =
    mode === 'empty' ? [] : mode === 'long' ? (first ? long : []) : (collections[chain] ?? [])
  const start = Number(searchParams.get('cursor') ?? 0)
  const page = list.slice(start, start + 24)
  const next = start + page.length
  return {
    status: 200,
    body: {
      nfts: page.map(([name, collection, more], index) => {
        const id = nftId(start + index, chain)
        const tokenId = id.split('/').at(-1)
        return {
          id,
          standard: 'erc721',
          contract: `${chain}:${contract}`,
          tokenId,
          amount: '1',
          name,
          collection,
          attributes: [],
          ...(name !== 'Unwritten' && {
            imageUrl: `/v1/images/nft/${encodeURIComponent(name)}?v=1`,
          }),
          isSpam: false,
          ...more,
        }
      }),
      ...(next < list.length && { nextCursor: String(next) }),
    },
  }
}

/** The picture of an NFT: planes of folded paper in colors derived from its name. */
export function nftPicture({ pathname }: URL): string | undefined {
  const name = decodeURIComponent(pathname.slice('/v1/images/nft/'.length))
  if (name === 'missing') return undefined
  let seed = 7
  for (const char of name) seed = (seed * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32
  const hue = random() * 360
  const planes = Array.from({ length: 7 }, (_, index) => {
    const corners = Array.from({ length: 3 }, () => `${random() * 48 - 4} ${random() * 48 - 4}`)
    const color = `hsl(${hue + random() * 40} 45% ${25 + index * 9}%)`
    return `<path d="M${corners.join('L')}z" fill="${color}" fill-opacity=".85"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0h40v40H0z" fill="hsl(${hue} 40% 12%)"/>${planes.join('')}</svg>`
}
