import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { dataDir, readDirectory } from './directory.ts'
import { readImages } from './images.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await createTestGateway()
})
afterAll(() => gateway.stop())

const metamaskIcon = 'e30d09fe-c0dd-4b61-81e2-d6dc09eb9700'
const phantomIcon = 'b6ec7b81-bb4f-427d-e290-7631e6e50d00'
const ethereum = 'ba0ba0cd-17c6-4806-ad93-f9d174f17900'

test.each([
  ['§7.5.1', `/getWalletImage/${metamaskIcon}`, 'image/svg+xml'],
  ['§7.5.1', `/getWalletImage/${phantomIcon}`, 'image/webp'],
  ['§7.5.2', `/public/getAssetImage/${ethereum}`, 'image/svg+xml'],
  ['§7.5.3', '/public/getCurrencyImage/USD', 'image/svg+xml'],
  ['§7.5.4', '/public/getTokenImage/USDC', 'image/svg+xml'],
])('%s GET %s is an immutable image', async (_row, path, type) => {
  // The request that official clients send, with their query and from any origin.
  const response = await gateway.send(`${path}?projectId=unknown&st=appkit&sv=html-1.7.15`, {
    headers: { origin: 'https://anywhere.example' },
  })
  expect(response.status).toBe(200)
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  const isSandboxed = headers['content-security-policy']!.includes('sandbox')
  expect(isSandboxed).toBe(type === 'image/svg+xml')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const start = Buffer.from(bytes.slice(0, 4)).toString()
  expect(start).toBe(type === 'image/webp' ? 'RIFF' : '<svg')
})

test('the response for a wallet icon contains the icon in walletIcons.bin', async () => {
  const icons = readFileSync(join(dataDir, 'walletIcons.bin'))
  const response = await gateway.send(`/getWalletImage/${metamaskIcon}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(icons.subarray(0, bytes.length).equals(bytes)).toBe(true)
})

test('§7.5.2 every image id in the contract has an image', async () => {
  const ids = Object.keys(
    JSON.parse(readFileSync(join(dataDir, 'assets.json'), 'utf8')) as Record<string, string>,
  )
  expect(ids).toEqual(
    expect.arrayContaining([
      ethereum,
      '41d04d42-da3b-4453-8506-668cc0727900',
      'ab9c186a-c52f-464b-2906-ca59d760a400',
      '3bff954d-5cb0-47a0-9a23-d20192e74600',
      '7289c336-3981-4081-c5f4-efc26ac64a00',
      '93564157-2e8e-4ce7-81df-b264dbee9b00',
      '30c46e53-e989-45fb-4549-be3bd4eb3b00',
      '02b53f6a-e3d4-479e-1cb4-21178987d100',
      'b310f07f-4ef7-49f3-7073-2a0a39685800',
      'e909ea0a-f92a-4512-c8fc-748044ea6800',
      'a1b58899-f671-4276-6a5e-56ca5bd59700',
      '0b4838db-0161-4ffe-022d-532bf03dba00',
      '39354064-d79b-420b-065d-f980c4b78200',
      'ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400',
      '07ba87ed-43aa-4adf-4540-9e6a2b9cae00',
      '0c2840c3-5b04-4c44-9661-fbd4b49e1800',
      '461db637-8616-43ce-035a-d89b8a1d5800',
      '54a1aa77-d202-4f8d-0fb2-5d2bb6db0300',
    ]),
  )
  for (const id of ids) expect((await gateway.send(`/public/getAssetImage/${id}`)).status).toBe(200)
})

test('token symbols and currency codes are case-insensitive', async () => {
  for (const path of ['/public/getTokenImage/weth', '/public/getCurrencyImage/eur'])
    expect((await gateway.send(path)).status).toBe(200)
})

describe('If-None-Match', () => {
  test.each([
    ['the tag', (tag: string) => tag],
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['one of several tags', (tag: string) => `"other", ${tag}`],
    ['any tag (*)', () => '*'],
  ])('with %s: the image is not sent again', async (_name, toHeader) => {
    const path = `/public/getAssetImage/${ethereum}`
    const tag = (await gateway.send(path)).headers.get('etag')!
    const again = await gateway.send(path, { headers: { 'if-none-match': toHeader(tag) } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
    expect(again.headers.get('etag')).toBe(tag)
  })

  test('with a different tag: the image is sent', async () => {
    const path = `/public/getAssetImage/${ethereum}`
    const response = await gateway.send(path, { headers: { 'if-none-match': '"other"' } })
    expect(response.status).toBe(200)
  })
})

test.each([
  '/getWalletImage/unknown',
  '/getWalletImage/..%2f..%2fpackage.json',
  '/public/getAssetImage/constructor',
  '/public/getCurrencyImage/ZZZ',
  '/public/getTokenImage/%E0%A4%A',
])('error: GET %s is a 404 that any page can read', async (path) => {
  const { status, body, headers } = await gateway.json(path)
  expect(status).toBe(404)
  expect(body).toMatchObject({ status: 'FAILED', reasons: [{ field: 'id' }] })
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('no SVG can run scripts', () => {
  for (const images of Object.values(readImages(readDirectory())))
    for (const { bytes, headers } of images.values()) {
      if (headers['content-type'] !== 'image/svg+xml') continue
      expect(Buffer.from(bytes).toString()).not.toMatch(
        /<script|<foreignObject|\son\w+=|javascript:|href="[^#]/i,
      )
    }
})
