import { fileURLToPath } from 'node:url'
import { createSignClient, type SignEvents } from '@gatefold/sign'
import type { SignClientTypes } from '@walletconnect/types'
import { SignClient as SignClient3 } from 'sign-client-2.21.3'
import { SignClient as SignClient8 } from 'sign-client-2.21.8'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { servePage } from '../verify/page/serve.ts'
import { startService } from '../verify/startService.ts'

let browser: TestBrowser
let host: Awaited<ReturnType<typeof servePage>>
let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  const folder = fileURLToPath(new URL('./page/', import.meta.url))
  const roles = ['relay' as const, 'verify' as const]
  ;[browser, host, service] = await Promise.all([
    launchBrowser(),
    servePage(folder),
    startService({ roles, shutdownSeconds: 1 }),
  ])
})
afterAll(async () => {
  await browser.close()
  await Promise.all([host.stop(), service.stop()])
})

const relayUrl = () => service.url.replace('http', 'ws')
const pageOrigin = () => `http://localhost:${host.port}`

/**
 * Proposes a session with the official client in a page. @param url - the client's `metadata.url`
 */
async function propose(url: string) {
  const { page, context } = await browser.newPage()
  try {
    await page.goto(pageOrigin())
    await page.waitForFunction(() => 'official' in window)
    return await page.evaluate((options) => window.official.connect(options), {
      relayUrl: relayUrl(),
      verifyUrl: service.verifyUrl,
      projectId: 'harbor',
      url,
    })
  } finally {
    await context.close()
  }
}

const cases = [
  ['VALID', 'the page’s origin', pageOrigin],
  ['INVALID', 'another origin', () => 'https://harbor.example'],
] as const

/** Opens an official wallet client, in either version. */
async function openWallet(version: '2.21.3' | '2.21.8') {
  // Otherwise all clients in a process share one core. The variable is read when a core is created.
  process.env['DISABLE_GLOBAL_CORE'] = 'true'
  const Client = version === '2.21.3' ? SignClient3 : SignClient8
  const client = (await Client.init({
    relayUrl: relayUrl(),
    projectId: 'harbor',
    logger: 'silent',
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    metadata: { name: 'Wallet', description: 'Wallet of a test', url: '', icons: [] },
  })) as InstanceType<typeof SignClient8>
  Object.assign(client.core.verify, { verifyUrlV3: service.verifyUrl })
  return {
    client,
    close: async () => {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
    },
  }
}

describe.each(['2.21.3', '2.21.8'] as const)(
  '§7.12.5 an official app in a page, wallet %s',
  (version) => {
    test.each(cases)('validation is %s if metadata.url has %s', async (validation, _, url) => {
      const { client, close } = await openWallet(version)
      try {
        const { uri, tookMs } = await propose(url())
        // Without a response from the verify service, the official app would wait for 5 s.
        expect(tookMs).toBeLessThan(5_000)
        const proposal = new Promise<SignClientTypes.EventArguments['session_proposal']>(
          (resolve) => client.once('session_proposal', resolve),
        )
        await client.pair({ uri })
        const { verified } = (await proposal).verifyContext
        expect(verified).toMatchObject({ validation, origin: pageOrigin(), isScam: false })
      } finally {
        await close()
      }
    })
  },
)

describe('§3.19.5 an official app in a page, our wallet', () => {
  test.each(cases)('validation is %s if metadata.url has %s', async (validation, _, url) => {
    const metadata = { name: 'Wallet', description: '', url: 'http://localhost', icons: [] }
    const wallet = createSignClient({
      relayUrl: relayUrl(),
      verifyUrl: service.verifyUrl,
      metadata,
    })
    try {
      const proposal = new Promise<SignEvents['session_proposal']>((resolve) =>
        wallet.on('session_proposal', resolve),
      )
      await wallet.pair({ uri: (await propose(url())).uri })
      expect((await proposal).verifyContext.verified).toEqual({
        verifyUrl: service.verifyUrl,
        validation,
        origin: pageOrigin(),
        isScam: false,
      })
    } finally {
      await wallet.close()
    }
  })
})
