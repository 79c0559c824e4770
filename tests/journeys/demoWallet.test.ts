import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Chain, startChain } from '@gatefold/chain'
import { build } from 'vite'
import { type Address, createPublicClient, type Hex, http, parseEther, verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axe, launchBrowser, type PageOptions, screenshot, type TestBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** A contract that reverts on unknown calls. */
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let chains: Chain[]
let browser: TestBrowser
let site: Server
let url: string

beforeAll(async () => {
  const script = await buildInject()
  ;[chains, browser] = await Promise.all([
    Promise.all([startChain({ chainId: 31337 }), startChain({ chainId: 31338 })]),
    launchBrowser(),
  ])
  site = createServer((request, response) => {
    const isScript = request.url?.startsWith('/inject.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : page())
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://localhost:${(site.address() as AddressInfo).port}/`
})
afterAll(async () => {
  site?.close()
  await Promise.all([browser?.close(), ...(chains ?? []).map((chain) => chain.stop())])
})

/**
 * A page with the wallet script and a modal. If `window.strict` is true, the modal traps focus, and
 * closes on outside events and on Escape.
 */
function page(): string {
  const known = `31337 ${chains[0]!.url} Home, 31338 ${chains[1]!.url} Away`
  return `<!doctype html><html lang="en"><head><title>A page</title>
    <meta name="viewport" content="width=device-width">
    <script type="module" src="/inject.js" data-gatefold-wallets data-chains="${known}"></script>
    </head><body><main><h1>A page</h1><div id="dialog" tabindex="-1"><input id="field"
    aria-label="Field"></div></main><script>
      document.addEventListener('focusin', (event) => {
        if (window.strict && !dialog.contains(event.target)) field.focus()
      })
      for (const name of ['pointerdown', 'mousedown', 'click', 'touchstart']) {
        document.addEventListener(name, (event) => {
          if (window.strict && !dialog.contains(event.target)) dialog.remove()
        })
      }
      document.addEventListener('keydown', (event) => {
        if (window.strict && event.key === 'Escape') dialog.remove()
      })
      window.addEventListener('eip6963:announceProvider', ({ detail }) => {
        (window.announced ??= {})[detail.info.rdns] = detail.provider
      })
      window.send = (rdns, method, ...params) => {
        window.dispatchEvent(new Event('eip6963:requestProvider'))
        return window.announced[rdns].request({ method, params })
          .catch((error) => ({ code: error.code }))
      }
    </script></body></html>`
}

/** Builds the page script in memory. */
async function buildInject(): Promise<string> {
  const folder = fileURLToPath(new URL('../../apps/wallets', import.meta.url))
  const [output] = [
    await build({
      root: folder,
      configFile: `${folder}/vite.config.ts`,
      build: { write: false },
      logLevel: 'warn',
    }),
  ].flat()
  if (!output || !('output' in output)) throw new Error('The page script was not built.')
  expect(output.output).toHaveLength(1)
  return output.output[0].code
}

async function open(options: PageOptions = {}) {
  const { page, context, pageErrors, hosts } = closeAfterTest(await browser.newPage(options))
  await page.goto(url)
  await page.getByTestId('wallet-tab').first().waitFor()
  const send = (method: string, ...params: unknown[]) =>
    page.evaluate(
      ([rdns, method, ...params]) => {
        type Sender = { send(...parameters: unknown[]): Promise<unknown> }
        return (window as unknown as Sender).send(rdns, method, ...params)
      },
      ['dev.gatefold.halyard', method, ...params],
    )
  /** Sends a request and ignores the result, because the page may close before the response. */
  const start = (...request: Parameters<typeof send>) =>
    void send(...request).catch(() => undefined)
  const seen = (id: string) => page.getByTestId(id).filter({ visible: true })
  const connect = async () => {
    const accounts = send('eth_requestAccounts')
    await seen('wallet-approve').click()
    return accounts
  }
  return { page, context, pageErrors, hosts, send, start, seen, connect }
}

describe('the demo wallet in a page', () => {
  it('connects after a click in the wallet’s window, signs, sends, and stays connected after a reload', async () => {
    const { page, send, seen, connect, pageErrors, hosts } = await open()
    expect(await connect()).toEqual([alice.toLowerCase(), expect.any(String)])
    expect(await seen('wallet-window').count()).toBe(0)

    const signing = send('personal_sign', 'Read me first', alice)
    expect(await seen('wallet-title').textContent()).toBe('Sign a message')
    expect(await seen('wallet-message').textContent()).toBe('Read me first')
    await seen('wallet-approve').click()
    const signature = (await signing) as Hex
    expect(await verifyMessage({ address: alice, message: 'Read me first', signature })).toBe(true)

    const before = await balanceOf(carol)
    const sending = send('eth_sendTransaction', {
      from: alice,
      to: carol,
      value: `0x${parseEther('0.25').toString(16)}`,
    })
    expect(await seen('wallet-title').textContent()).toBe('Send 0.25 ETH')
    await seen('wallet-window').getByText('gwei').waitFor()
    await seen('wallet-approve').click()
    expect(await sending).toMatch(/^0x[\da-f]{64}$/)
    expect((await balanceOf(carol)) - before).toBe(parseEther('0.25'))

    await page.reload()
    await seen('wallet-tab').first().waitFor()
    expect(await send('eth_accounts')).toHaveLength(2)
    expect(pageErrors).toEqual([])
    expect([...hosts].every((host) => /^(localhost|127\.0\.0\.1):/.test(host))).toBe(true)
  })

  it('shows one request at a time with a count, and rejects with code 4001', async () => {
    const { send, seen, connect } = await open()
    await connect()
    const first = send('personal_sign', 'one', alice)
    await seen('wallet-message').waitFor()
    const second = send('personal_sign', 'two', alice)
    await seen('wallet-queue').getByText('1 of 2').waitFor()
    await seen('wallet-reject').click()
    expect(await first).toEqual({ code: 4001 })
    expect(await seen('wallet-message').textContent()).toBe('two')
    await seen('wallet-reject').click()
    expect(await second).toEqual({ code: 4001 })
  })

  it('warns about unlimited approvals and failing calls', async () => {
    const { start, seen, connect } = await open()
    await connect()
    const data = `0x095ea7b3${carol.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
    start('eth_sendTransaction', { from: alice, to: carol, data })
    expect(await seen('wallet-title').textContent()).toBe('Approve token spending')
    expect(await seen('wallet-window').getByText('unlimited spending').count()).toBe(1)
    expect(await seen('wallet-fields').textContent()).toContain('0x095ea7b3')
    await seen('wallet-reject').click()
    const value = `0x${parseEther('9999999').toString(16)}`
    start('eth_sendTransaction', { from: alice, to: carol, value })
    await seen('wallet-window').getByText('Not enough ETH').waitFor()
    expect(await seen('wallet-title').textContent()).toBe('Send 9999999 ETH')
    await seen('wallet-reject').click()
    start('eth_sendTransaction', { from: alice, to: multicall3, data: '0x12345678' })
    await seen('wallet-window').getByText('Transaction will fail').waitFor()
    expect(await seen('wallet-title').textContent()).toBe('Call an unknown contract')
    expect(await seen('wallet-window').getByText('can’t decode this call').count()).toBe(1)
    await seen('wallet-reject').click()
  })

  it('stays usable next to a modal dialog that traps focus and makes the body inert', async () => {
    const { page, send, seen, connect } = await open()
    await connect()
    await page.evaluate(() => {
      Object.assign(window, { strict: true })
      document.querySelector<HTMLElement>('#field')!.focus()
    })
    const focused = () => page.evaluate(() => document.activeElement?.id)
    const signing = send('personal_sign', 'hello', alice)
    await seen('wallet-message').waitFor()
    expect(await focused()).toBe('field')
    await seen('wallet-approve').click()
    expect(await signing).toMatch(/^0x/)
    expect(await focused()).toBe('field')
    expect(await page.locator('#dialog').count()).toBe(1)

    await page.evaluate(() => document.body.toggleAttribute('inert', true))
    const again = send('personal_sign', 'again', alice)
    await seen('wallet-reject').click()
    expect(await again).toEqual({ code: 4001 })
  })

  it('gets the focus with Alt+Shift+W, and restores the previous focus', async () => {
    const { page, send, seen, connect } = await open()
    await connect()
    await page.evaluate(() => {
      Object.assign(window, { strict: true })
      document.querySelector<HTMLElement>('#field')!.focus()
    })
    const signing = send('personal_sign', 'by hand', alice)
    await seen('wallet-message').waitFor()
    await page.keyboard.press('Alt+Shift+W')
    const inside = () =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)
    expect(await inside()).toBe('Approve')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field')
    expect(await page.locator('#dialog').count()).toBe(1)
    await page.keyboard.press('Alt+Shift+W')
    await page.keyboard.press('Enter')
    expect(await signing).toMatch(/^0x/)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field')
  })

  it('has an input for every fault, and a button that clears all faults', async () => {
    const { page, send, seen, connect } = await open()
    await connect()
    await seen('wallet-tab').first().click()
    await seen('wallet-faults').locator('summary').click()
    await seen('wallet-fault-reject').selectOption('next')
    await seen('wallet-fault-hang').selectOption('next')
    await seen('wallet-fault-fail').selectOption('all')
    await seen('wallet-fault-delayMs').fill('1')
    await seen('wallet-fault-wrongChain').selectOption('stay')
    await seen('wallet-fault-lieAboutAccount').selectOption('none')
    await seen('wallet-fault-unsupported').fill('eth_gasPrice, wallet_sendCalls')
    await seen('wallet-fault-mute').check()
    await seen('wallet-fault-atomicBatches').check()
    const faults = () =>
      page.evaluate(() => window.__gatefoldWallets?.['dev.gatefold.halyard']?.faults)
    expect(await faults()).toEqual({
      reject: 'next',
      hang: 'next',
      fail: 'all',
      delayMs: 1,
      wrongChain: 'stay',
      lieAboutAccount: 'none',
      unsupported: ['eth_gasPrice', 'wallet_sendCalls'],
      mute: true,
      atomicBatches: true,
    })
    expect(await send('eth_gasPrice')).toEqual({ code: 4200 })
    expect(await send('eth_accounts')).toEqual([])
    await seen('wallet-reset').click()
    expect(await send('eth_gasPrice')).toMatch(/^0x/)
    expect(await send('eth_accounts')).toHaveLength(2)
    expect(await faults()).toMatchObject({
      reject: 'off',
      mute: false,
      atomicBatches: false,
      delayMs: 0,
    })

    await seen('wallet-network').selectOption('31338')
    expect(await send('eth_chainId')).toBe('0x7a6a')
    await seen('wallet-account').selectOption('1')
    expect(await send('eth_coinbase')).not.toBe(alice.toLowerCase())
    await seen('wallet-lock').click()
    expect(await send('eth_accounts')).toEqual([])
    await seen('wallet-lock').click()
    await seen('wallet-disconnect').click()
    expect(await send('eth_accounts')).toEqual({ code: 4900 })
    await seen('wallet-disconnect').click()
    await seen('wallet-lose').click()
    expect(await send('eth_accounts')).toEqual([])
  })

  it('installs only once if the script runs twice', async () => {
    const { page, seen } = await open()
    await page.addScriptTag({ type: 'module', url: '/inject.js?again' })
    const announced = await page.evaluate(() => {
      const names: string[] = []
      window.addEventListener('eip6963:announceProvider', (event) => {
        names.push((event as CustomEvent<{ info: { name: string } }>).detail.info.name)
      })
      window.dispatchEvent(new Event('eip6963:requestProvider'))
      return names
    })
    expect(announced).toEqual(['Halyard', 'Nacre'])
    expect(await seen('wallet-tab').count()).toBe(2)
  })

  it('reattaches its window when the page removes it', async () => {
    const { page, seen } = await open()
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('gatefold-wallet')) node.remove()
    })
    await expect.poll(() => seen('wallet-tab').count()).toBe(2)
  })

  it('on a phone, places its tabs at the top edge, so that bottom sheets do not cover them', async () => {
    const { page, seen } = await open({ width: 320, height: 568, touch: true })
    for (const tab of await seen('wallet-tab').all()) {
      const box = (await tab.boundingBox())!
      expect(box.y + box.height).toBeLessThanOrEqual(24)
    }
    await seen('wallet-tab').first().click()
    await page.getByTestId('wallet-window').filter({ visible: true }).waitFor()
  })

  it.each([
    ['light', 320],
    ['dark', 320],
    ['light', 1440],
    ['dark', 1440],
  ] as const)('passes axe and fits the viewport (%s theme, %i px)', async (colorScheme, width) => {
    const { page, start, seen, connect } = await open({
      width,
      height: 700,
      colorScheme,
      reducedMotion: 'reduce',
    })
    const audit = async (name: string) => {
      await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
      await screenshot(page, `demoWallet/${colorScheme}-${width}-${name}`)
      expect(await axe(page, 'gatefold-wallet')).toEqual([])
      expect(await misfits(page)).toEqual([])
    }
    await audit('tabs')
    await connect()
    start('eth_sendTransaction', { from: alice, to: carol, data: '0x12345678' })
    await seen('wallet-window').getByText('gwei').waitFor()
    await audit('unknown-call')
    await seen('wallet-reject').click()
    start('eth_signTypedData_v4', alice, JSON.stringify(permit))
    await seen('wallet-fields').waitFor()
    await audit('typed-data')
    await seen('wallet-reject').click()
    await seen('wallet-tab').first().click()
    await audit('idle')
    await seen('wallet-faults').locator('summary').click()
    await audit('faults')
  })
})

const permit = {
  domain: { name: 'Fold Dollar', version: '1', chainId: 31337, verifyingContract: carol },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: alice, value: String(2n ** 256n - 1n) },
}

/** Finds controls smaller than 44 px, and wallet windows that exceed the viewport. */
function misfits(page: Awaited<ReturnType<typeof open>>['page']): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('gatefold-wallet')].flatMap((host) =>
      [...host.shadowRoot!.querySelectorAll<HTMLElement>('button, summary, .group label, .card')]
        .filter((node) => node.checkVisibility())
        .flatMap((node) => {
          const { width, height, left, right, bottom } = node.getBoundingClientRect()
          const name = `${node.className || node.tagName}: ${Math.round(width)} x ${Math.round(height)}`
          if (node.matches('.card')) {
            const inside = left >= 0 && right <= innerWidth && bottom <= innerHeight
            return inside && node.scrollWidth <= node.clientWidth ? [] : [name]
          }
          return width < 44 || height < 43.5 ? [name] : []
        }),
    ),
  )
}

function balanceOf(address: Address): Promise<bigint> {
  return createPublicClient({ transport: http(chains[0]!.url) }).getBalance({ address })
}
