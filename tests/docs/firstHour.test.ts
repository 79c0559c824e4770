import { fileURLToPath } from 'node:url'
import { startChain, type Chain } from '@gatefold/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { adapt, followDocument, packAsDocumented, readUnreleased } from './firstHour.ts'
import { readCommands, readDocuments } from './readDocuments.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { blocks } = readDocuments(root)

/** npm and the bundlers take a multiple of their usual time on a busy machine. */
const limitMs = 900_000

let checkout: Awaited<ReturnType<typeof packAsDocumented>>
let browser: TestBrowser
let chain: Chain
beforeAll(async () => {
  ;[checkout, browser, chain] = await Promise.all([
    packAsDocumented(root, blocks),
    launchBrowser(),
    startChain(),
  ])
}, limitMs)
afterAll(async () => {
  checkout?.remove()
  await browser?.close()
  await chain?.stop()
})

test.each(['vite', 'next'])(
  'following the documents creates a %s app in which a wallet can be connected',
  async (app) => {
    const { steps, problems } = await followDocument({
      blocks,
      app,
      checkout: checkout.path,
      browser,
      chain,
    })
    expect(problems).toEqual([])
    expect(steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['npm run dev', 'connect a wallet']),
    )
  },
  limitMs,
)

test('before the first release, README.md installs the packed packages and the same peers', () => {
  const installs = blocks
    .filter(({ document, attributes }) => document === 'README.md' && attributes['app'] === 'vite')
    .flatMap(({ code }) => readCommands(code))
    .filter((command) => command.startsWith('npm install @gatefold/kit'))
  expect(installs).toHaveLength(1)
  expect(readUnreleased(blocks).install).toBe(`cd ../my-app && ${adapt(installs[0]!)}`)
})
