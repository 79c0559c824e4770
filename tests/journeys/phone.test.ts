import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { accounts } from '@gatefold/chain'
import { createSignClient } from '@gatefold/sign'
import type { SignClient, SignEvents } from '@gatefold/sign'
import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import {
  defaultProjectId,
  findProject,
  saveProject,
} from '../../packages/server/src/storage/projects.ts'
import { addScamDomains } from '../../packages/server/src/storage/verify.ts'
import { axe, launchBrowser } from '../browser.ts'
import type { PageOptions, TestBrowser } from '../browser.ts'
import { cameraOf, pointCamera } from '../camera.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { scanCode } from '../ui/scanCode.ts'
import { openBook } from './bookPage.ts'
import { openPhone } from './phonePage.ts'
import type { PhonePage } from './phonePage.ts'

let stack: Stack
let browser: TestBrowser
let folder: string
let camera: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatefold-phone-'))
  camera = join(folder, 'camera.y4m')
  ;[stack, browser] = await Promise.all([
    startStack({ phone: true, dataDir: join(folder, 'data') }),
    launchBrowser(cameraOf(camera)),
  ])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  await rm(folder, { recursive: true, force: true })
})

const phoneAddress = accounts[3].address

async function phoneAt(path = '', options?: PageOptions): Promise<PhonePage> {
  return closeAfterTest(await openPhone(browser, `${stack.phone!.url}${path}`, options))
}

/** Adds a domain to the verify service's scam list, and allows an origin to use the project. */
async function reportScam(domain: string, origin: string) {
  const storage = await openStorage({ dataDir: join(folder, 'data') })
  const { db } = storage
  const project = (await findProject(db, defaultProjectId))!
  await saveProject(
    db,
    { ...project, allowedOrigins: [...project.allowedOrigins, origin] },
    Date.now(),
  )
  await addScamDomains(db, [domain], Date.now())
  await storage.close()
}

/** An app on the relay, and the session events that it has received. */
function createApp(url = 'https://app.example') {
  const sign = createSignClient({
    relayUrl: stack.server!.url.replace('http', 'ws'),
    metadata: { name: 'An app', description: '', url, icons: [] },
    storagePrefix: `app-${crypto.randomUUID()}`,
  })
  onTestFinished(() => sign.close())
  const events: SignEvents['session_event']['params'][] = []
  sign.on('session_event', ({ params }) => events.push(params))
  return { sign, events }
}

const everything = {
  eip155: {
    chains: ['eip155:31337', 'eip155:31338'],
    methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

async function propose(sign: SignClient) {
  const { uri, approval } = await sign.connect({ optionalNamespaces: everything })
  const answer = approval()
  answer.catch(() => undefined) // tests that await the answer see the rejection
  return { uri: uri!, answer }
}

/** Opens a phone and an app that have a session. */
async function connected(options?: PageOptions) {
  const { sign, events } = createApp()
  const { uri, answer } = await propose(sign)
  const phone = await phoneAt(`/wc?uri=${encodeURIComponent(uri)}`, options)
  await phone.approve()
  const { topic } = await answer
  const request = (method: string, params: unknown) =>
    sign.request({ topic, chainId: 'eip155:31337', request: { method, params } })
  const settled = (method: string, params: unknown) =>
    request(method, params).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
  const namespaces = () => sign.sessions().find((one) => one.topic === topic)?.namespaces['eip155']
  return { phone, sign, events, request, settled, namespaces }
}

const hello = [toHex('Hello'), phoneAddress]

describe('connecting', () => {
  test('the camera reads the QR code from the page', async () => {
    const book = closeAfterTest(await openBook(browser, stack.book!.url))
    await book.connect.click()
    await book.row(/^WalletConnect/).click()
    await book.card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    await pointCamera(book.page, camera)
    const phone = await phoneAt()
    await phone.page.getByRole('button', { name: 'Scan QR code' }).click()
    await phone.sheet.getByText('Connect to Book of Ethereum').waitFor()
    await phone.reject()
    await book.card
      .getByText(/declined/)
      .first()
      .waitFor()
  })

  // Retries, because on a busy machine the proposal may arrive before its attestation.
  test(
    'attack: a site on the scam list is reported, and cannot be approved without a confirmation',
    { retry: 3 },
    async () => {
      const { port } = new URL(stack.book!.url)
      await reportScam('scam.localhost', `http://book.scam.localhost:${port}`)
      const book = closeAfterTest(await openBook(browser, `http://book.scam.localhost:${port}`))
      await book.connect.click()
      await book.row(/^WalletConnect/).click()
      await book.card.getByRole('img', { name: /QR code to connect/ }).waitFor()
      const uri = await scanCode(book.page)
      const phone = await phoneAt(`/wc?uri=${encodeURIComponent(uri)}`)
      const trust = phone.sheet.getByTestId('trust')
      await trust.getByText('Reported as a scam').waitFor()
      await trust
        .getByText(`book.scam.localhost:${port} was reported for stealing funds.`)
        .waitFor()
      const connect = phone.sheet.getByRole('button', { name: 'Connect', exact: true })
      expect(await connect.isEnabled()).toBe(false)
      await phone.reject()
    },
  )

  test('a link opens the wallet with the proposal, and is removed from the URL', async () => {
    const { uri, answer } = await propose(createApp().sign)
    const phone = await phoneAt(`/wc?uri=${encodeURIComponent(uri)}`)
    await phone.sheet.getByText('Connect to An app').waitFor()
    expect(phone.page.url()).toBe(`${stack.phone!.url}/`)
    await phone.sheet.getByTestId('trust').getByText('Not verified').waitFor()
    await phone.reject()
    await expect(answer).rejects.toMatchObject({ reason: { code: 5000 } })
  })

  test.each([
    ['hello', /isn’t a WalletConnect link/],
    [`wc:${'a'.repeat(64)}@2?relay-protocol=irn`, /isn’t a WalletConnect link/],
    [
      `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}&expiryTimestamp=1`,
      /has expired/,
    ],
  ])('error: %s is reported at the field', async (link, sentence) => {
    const phone = await phoneAt()
    await phone.paste(link)
    const field = phone.page.getByLabel('Link from the app')
    await phone.page.getByRole('alert').getByText(sentence).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
  })

  test('an error message is removed when the visitor opens another screen', async () => {
    const phone = await phoneAt(`/?uri=${encodeURIComponent('wc:nonsense')}`)
    const toast = phone.page.locator('.toast')
    await toast.waitFor()
    await phone.page.goto(`${stack.phone!.url}/#scan`)
    await phone.page.getByRole('heading', { name: 'Scan QR code' }).waitFor()
    await toast.waitFor({ state: 'detached' })
  })

  test('error: if there is no camera, the link can be pasted', async () => {
    const other = await launchBrowser()
    onTestFinished(() => other.close())
    const phone = await openPhone(other, `${stack.phone!.url}/#scan`)
    await phone.page.getByText('No camera found').waitFor()
    await phone.page.getByLabel('Link from the app').waitFor()
  })

  test('only the newest tab runs the wallet', async () => {
    const phone = await phoneAt()
    await phone.page.getByText('No connected apps').waitFor()
    const second = await phone.context.newPage()
    await second.goto(stack.phone!.url)
    await phone.page.getByText('The wallet is open in another tab').waitFor()
    await phone.page.getByRole('button', { name: 'Use it here' }).click()
    await phone.page.getByText('No connected apps').waitFor()
    await second.getByText('The wallet is open in another tab').waitFor()
  })
})

describe('a connected app', () => {
  test('receives an event with arbitrary data, and changes of the session’s networks', async () => {
    const { phone, events, namespaces } = await connected()
    await phone.openApp()
    await phone.choose('Event', 'chainChanged')
    await phone.page.getByLabel('Data').fill('"anything"')
    await phone.page.getByRole('button', { name: 'Send event' }).click()
    await expect
      .poll(() => events.at(-1)?.event)
      .toEqual({ name: 'chainChanged', data: 'anything' })

    const second = phone.page.getByRole('checkbox', { name: 'Gatefold Second' })
    await second.click()
    await expect.poll(() => namespaces()?.chains).toEqual(['eip155:31337'])
    const local = phone.page.getByRole('checkbox', { name: 'Gatefold Local' })
    await expect.poll(() => local.isDisabled()).toBe(true)
    await second.click()
    await expect.poll(() => namespaces()?.chains).toEqual(['eip155:31337', 'eip155:31338'])
  })

  test('stays connected after the wallet has forgotten the session', async () => {
    const { phone, sign } = await connected()
    await phone.openApp()
    await phone.page.getByRole('button', { name: 'Forget without notifying the app' }).click()
    await phone.page.getByText('No connected apps').waitFor()
    expect(sign.sessions()).toHaveLength(1)
  })
})

test('the phone shows that the relay is offline, and that it is connected again', async () => {
  const { phone } = await connected()
  await phone.page.getByText('Relay connected').waitFor()
  await stack.kill('server')
  await phone.page.getByText('Relay offline, reconnecting').waitFor()
  await stack.restart('server')
  await phone.page.getByText('Relay connected').waitFor()
})

describe('the request sheet', () => {
  test('shows typed data and transactions in readable form', async () => {
    const { phone, settled } = await connected()
    const typed = settled('eth_signTypedData_v4', [
      phoneAddress,
      JSON.stringify({
        domain: { name: 'Folds', version: '1', chainId: 31337 },
        types: {
          Order: [
            { name: 'seller', type: 'address' },
            { name: 'pages', type: 'uint256' },
          ],
        },
        primaryType: 'Order',
        message: { seller: phoneAddress, pages: '12' },
      }),
    ])
    const waiting = settled('eth_sendTransaction', [
      { from: phoneAddress, to: accounts[1].address, value: toHex(parseEther('0.5')) },
    ])
    await phone.sheet.getByText('Sign Order').waitFor()
    await phone.sheet.getByText('pages').waitFor()
    await phone.sheet.getByText('1 of 2').waitFor()
    await phone.approve()
    expect(await typed).toEqual({ result: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
    await phone.sheet.getByText('Send 0.5 ETH').waitFor()
    await phone.sheet.getByText(/gwei/).waitFor()
    await phone.reject()
    expect(await waiting).toMatchObject({ error: { reason: { code: 4001 } } })
  })

  test('traps focus and stays open on Escape', async () => {
    const { phone, settled } = await connected()
    const answer = settled('personal_sign', hello)
    await phone.sheet.waitFor()
    const inside = () => phone.sheet.evaluate((sheet) => sheet.contains(document.activeElement))
    expect(await inside()).toBe(true)
    await phone.page.keyboard.press('Escape')
    await phone.page.keyboard.press('Escape')
    for (let press = 0; press < 6; press++) {
      await phone.page.keyboard.press('Tab')
      if (await phone.sheet.getByRole('button', { name: 'Approve' }).evaluate(hasFocus)) break
    }
    await phone.page.keyboard.press('Enter')
    expect(await answer).toEqual({ result: expect.stringMatching(/^0x/) })
  })
})

describe('an app whose domain differs from its metadata', () => {
  test('is shown with a warning, and can connect only after a confirmation', async () => {
    await using other = await startStack({
      chains: false,
      server: false,
      env: { BOOK_ORIGIN: 'https://book.example', BOOK_GATEWAY_URL: stack.server!.url },
    })
    const book = closeAfterTest(await openBook(browser, other.book!.url))
    const phone = await phoneAt()
    await book.connect.click()
    await book.row(/^WalletConnect/).click()
    await book.card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    await phone.paste(await scanCode(book.page))
    const trust = phone.sheet.getByTestId('trust')
    await trust.getByText('Domain mismatch').waitFor()
    await trust
      .getByText(
        `The app claims to be book.example, but the request comes from ${new URL(book.page.url()).host}.`,
      )
      .waitFor()
    const connect = phone.sheet.getByRole('button', { name: 'Connect' })
    expect(await connect.isDisabled()).toBe(true)
    expect(await axe(phone.page)).toEqual([])
    await phone.sheet.getByRole('checkbox').click()
    await connect.click()
    await book.account.waitFor()
  })
})

describe('faults', () => {
  test('make requests fail, hang or be rejected, and methods unsupported, until they are cleared', async () => {
    const { phone, settled, request } = await connected()
    await phone.page.getByRole('button', { name: 'Faults' }).click()

    await phone.choose('Reject', 'Next request')
    expect(await settled('personal_sign', hello)).toMatchObject({
      error: { reason: { code: 4001 } },
    })
    await phone.choose('Fail', 'Next request')
    expect(await settled('personal_sign', hello)).toMatchObject({
      error: { reason: { code: -32603 } },
    })
    await phone.choose('Don’t respond', 'Next request')
    const late = request('personal_sign', hello)
    await phone.page.getByText('Unanswered requests').waitFor()
    await phone.page.getByRole('listitem').getByRole('button', { name: 'Approve' }).click()
    expect(await late).toMatch(/^0x/)

    await phone.page.getByLabel('Unsupported methods').fill('personal_sign')
    await phone.page.keyboard.press('Enter')
    expect(await settled('personal_sign', hello)).toMatchObject({
      error: { reason: { code: 4200 } },
    })

    await phone.page.getByRole('button', { name: 'Clear all' }).click()
    const approved = request('personal_sign', hello)
    await phone.approve()
    expect(await approved).toMatch(/^0x/)
  })

  test('can grant the app an account that the wallet does not own', async () => {
    const { phone, namespaces } = await connected()
    await phone.page.getByRole('button', { name: 'Faults' }).click()
    await phone.choose('Visible account', 'Foreign account')
    await expect
      .poll(() => namespaces()?.accounts[0])
      .toBe('eip155:31337:0x000000000000000000000000000000000000dEaD')
    await phone.page.getByRole('button', { name: 'Back' }).click()
    await phone.page.getByRole('button', { name: 'Faults, 1 on' }).waitFor()
  })
})

describe.each([
  { width: 320, height: 640, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const)('at $width px, $colorScheme', (options) => {
  test('every screen fits the viewport and passes axe', async () => {
    const { sign } = createApp()
    const { uri, answer: session } = await propose(sign)
    const link = `/wc?uri=${encodeURIComponent(uri)}`
    const phone = await phoneAt(link, { ...options, reducedMotion: 'reduce' })
    const { page } = phone
    const found: Record<string, unknown> = {}
    const look = async (screen: string) => {
      const { wide, clipped } = await page.evaluate(async () => {
        await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
        const { scrollWidth } = document.documentElement
        const leaves = [...document.querySelectorAll('.group')]
        const cut = leaves.filter((leaf) => leaf.scrollHeight > leaf.clientHeight + 1)
        return {
          wide: scrollWidth - window.innerWidth,
          clipped: cut.map(({ outerHTML }) => outerHTML),
        }
      })
      const broken = await axe(page)
      if (wide > 0 || clipped.length > 0 || broken.length > 0)
        found[screen] = { wide, clipped, broken }
    }
    await phone.sheet.waitFor()
    await look('proposal')
    await phone.approve()
    const { topic } = await session
    await page.getByRole('heading', { name: 'Connected apps', exact: true }).waitFor()
    await look('home')
    const params = [toHex('A long text. '.repeat(400)), phoneAddress]
    const request = { method: 'personal_sign', params }
    const answer = sign
      .request({ topic, chainId: 'eip155:31337', request })
      .catch((error: unknown) => error)
    await phone.sheet.waitFor()
    await look('message')
    await phone.reject()
    expect(await answer).toMatchObject({ reason: { code: 4001 } })
    await phone.openApp()
    await page.getByRole('heading', { name: 'Connected app', exact: true }).waitFor()
    await look('session')
    // The camera must not show the code of an earlier test: the phone would connect and leave the screen.
    await pointCamera(page, camera)
    for (const [hash, heading] of [
      ['#faults', 'Faults'],
      ['#session-00000000', 'This app isn’t connected'],
      ['#scan', 'Scan QR code'],
    ] as const) {
      await page.goto(`${stack.phone!.url}/${hash}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await look(heading)
    }
    expect(found).toEqual({})
    expect(phone.pageErrors).toEqual([])
  })
})

const hasFocus = (element: Element) => element === document.activeElement
