import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer, type RunningServer } from '@gatefold/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import { saveProject } from '../../packages/server/src/storage/projects.ts'
import {
  createTestDevice,
  pageOrigin,
  readLocalCode,
} from '../../packages/server/src/testing/createTestDevice.ts'
import { testProject } from '../../packages/server/src/testing/testProject.ts'
import { createDatabase, type TestDatabase } from '../../packages/server/src/testing/databases.ts'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'

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
  server = await startServer({
    port: 0,
    roles: ['frame'],
    logLevel: 'silent',
    rpcUrls: {},
    dataDir: database.config.dataDir,
  })
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>Site</title><iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await server?.stop()
  await database?.remove()
})

const createDevice = async () =>
  createTestDevice({
    url: server.frameUrl!,
    send: async (path, init) => fetch(server.frameUrl + path, init),
    readCode: async (email) => readLocalCode(server.url, email),
  })

/** The link in the last mail of the local mail sink. */
async function readLink() {
  const response = await fetch(`${server.url}/dev/mail.json`)
  const { mails } = (await response.json()) as { mails: { text: string }[] }
  return /http\S+\/device\?token=\S+/.exec(mails[0]!.text)![0]
}

test('§4.12 a visitor confirms a device on the page of the mailed link', async () => {
  const device = await createDevice()
  const { body } = await device.requestCode('ada@example.com')
  const { action, loginId } = body
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
  const waited = await device.post('/api/login/device', { loginId })
  expect(waited.body).toEqual({ isConfirmed: true })
  const code = await readLocalCode(server.url, 'ada@example.com')
  expect((await device.post('/api/login/verify', { loginId, code })).status).toBe(200)
})

test('attack: another site cannot frame the page of a mailed link', async () => {
  await (await createDevice()).requestCode('eve@example.com')
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
