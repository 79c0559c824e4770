import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createPictures } from '../pictures.ts'
import { findStalePictures } from './findStalePictures.ts'
import { makeTree } from './makeTree.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('the bundled pictures are up to date', () => {
  expect(findStalePictures(root)).toEqual([])
})

it('no bundled picture can run scripts or load a file', () => {
  const uris = [...createPictures(root).values()].flatMap((text) =>
    [...text.matchAll(/"(data:[^"]*)"/g)].map(([, uri = '']) => uri),
  )
  expect(uris.length).toBeGreaterThan(50)
  for (const uri of uris) {
    expect(uri).toMatch(/^data:image\/(webp;base64|svg\+xml),/)
    expect(decodeURIComponent(uri)).not.toMatch(
      /<(script|foreignObject|image|use|style|a)\b|\son\w+=|href=['"](?!#)|url\((?!#)/i,
    )
  }
})

const icon = "<svg xmlns='http://www.w3.org/2000/svg'/>"
const chains = [
  'ethereum optimism binance-smart-chain gnosis unichain polygon zksync mantle',
  'base arbitrum-one celo avalanche solana bitcoin',
]
  .join(' ')
  .split(' ')
const data = 'packages/server/data'
const files = {
  'packages/kit/src/data/directory.ts': "[{ id: 'a' }, { id: 'b' }]",
  [`${data}/walletIcons.bin`]: icon,
  [`${data}/wallets.json`]: JSON.stringify({
    wallets: [
      { id: 'a', name: 'A', image_id: '1-2-3', icon: [0, icon.length] },
      { id: 'b', name: 'Without an icon', icon: null },
      { id: 'c', name: 'Not bundled', image_id: '4-5-6', icon: [0, icon.length] },
    ],
  }),
  ...Object.fromEntries(chains.map((name) => [`${data}/images/networks/${name}.svg`, icon])),
}

it('reports a missing file and a changed one', () => {
  const written = Object.fromEntries(createPictures(makeTree(files)))
  expect(findStalePictures(makeTree({ ...files, ...written }))).toEqual([])
  const path = 'packages/kit/src/data/pictures/wallets1.ts'
  expect(written[path]).toContain("'1': \"data:image/svg+xml,<svg")
  expect(written[path]).not.toContain("'4'")
  const { [path]: _, ...others } = written
  const problem = `${path} is out of date. Run \`node scripts/pictures.ts\`.`
  expect(findStalePictures(makeTree({ ...files, ...others }))).toEqual([problem])
  expect(findStalePictures(makeTree({ ...files, ...others, [path]: 'old' }))).toEqual([problem])
})
