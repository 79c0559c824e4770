import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EmailLoginResponse } from '@gatefold/protocol/frame'
import { startServer, type RunningServer } from '@gatefold/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import { saveProject } from '../../packages/server/src/storage/projects.ts'
import { testProject } from '../../packages/server/src/testing/testProject.ts'
import { createDatabase, type TestDatabase } from '../../packages/server/src/testing/databases.ts'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'

const pageOrigin = 'http://localhost:3000'

let database: TestDatabase
let server: RunningServer
let browser: TestBrowser
/** A page of another origin that frames the page of a link. */
let site: Server
let framed = ''
beforeAll(async () => {
  database = await createDatabase('sqlite')
  const storage = await openStorage(database.config)
  const project = testProject({ allowedOrigins: [pageOrigin], confirmDevices: true })
  await saveProject(storage.db, project, 1)
  await storage.close()
  const quiet = { port: 0, roles: ['frame'], logLevel: 'silent', rpcUrls: {} } as const
  server = await startServer({ ...quiet, roles: ['frame'], dataDir: database.config.dataDir })
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>Site</title><iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await server?.stop()
  await database?.remove()
})

/** A device with a key of its own, as the frame creates it. */
async function createDevice() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  return async <Body>(path: string, body: object) => {
    const url = server.frameUrl + path
    const dpop = await new SignJWT({
      htm: 'POST',
      htu: url,
      iat: Math.floor(Date.now() / 1000),
      jti: crypto.randomUUID(),
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(privateKey)
    const response = await fetch(url, {
      method: 'POST',
      headers: { dpop },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Body
  }
}

/** The link in the last mail of the local mail sink. */
async function readLink() {
  const response = await fetch(`${server.url}/dev/mail.json`)
  const { mails } = (await response.json()) as { mails: { text: string }[] }
  return /http\S+\/device\?token=\S+/.exec(mails[0]!.text)![0]
}

test('§4.12 a visitor confirms a device on the page of the mailed link', async () => {
  const post = await createDevice()
  const login = { email: 'ada@example.com', origin: pageOrigin }
  const { action, loginId } = await post<EmailLoginResponse>('/api/login/email', login)
  expect(action).toBe('VERIFY_DEVICE')

  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, hosts, consoleErrors } = await browser.newPage({ width: 360, colorScheme })
    await page.goto(await readLink())
    expect(await page.title()).toBe('Is this you?')
    expect(await axe(page)).toEqual([])
    expect([...hosts]).toEqual([new URL(server.frameUrl!).host])
    expect(consoleErrors).toEqual([])
    if (colorScheme === 'light') continue
    await page.getByRole('button', { name: 'Yes, it’s me' }).click()
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
  }
  expect(await post('/api/login/device', { loginId })).toEqual({ isConfirmed: true })
})

test('attack: another site cannot frame the page of a mailed link', async () => {
  const post = await createDevice()
  await post('/api/login/email', { email: 'eve@example.com', origin: pageOrigin })
  framed = await readLink()
  const { page } = await browser.newPage()
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
})

test('the local mail sink shows mails without a request to another host', async () => {
  const { page, hosts, consoleErrors } = await browser.newPage()
  await page.goto(`${server.url}/dev/mail`)
  await page.getByRole('heading', { name: 'Is this you? – Gatefold' }).first().waitFor()
  const mail = page.frameLocator('iframe').first()
  await mail.getByRole('link', { name: 'Check the device' }).waitFor()
  expect([...hosts]).toEqual([new URL(server.url).host])
  expect(consoleErrors).toEqual([])
})
