import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { openPage } from './openPage.ts'
import { servePage } from './page/serve.ts'

let browser: TestBrowser
let server: Awaited<ReturnType<typeof servePage>>
beforeAll(async () => {
  ;[browser, server] = await Promise.all([launchBrowser(), servePage()])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function load(page: Page) {
  await page.goto(server.url)
  await page.waitForFunction(() => 'testApi' in window)
}

/** The content of the database, by key. It has the name of the official client’s database. */
function readDatabase(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const settled = <result>(request: IDBRequest<result>) =>
      new Promise<result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('database')))
      })
    const database = await settled(indexedDB.open('WALLET_CONNECT_V2_INDEXED_DB'))
    const objects = database.transaction('keyvaluestorage').objectStore('keyvaluestorage')
    const [keys, values] = await Promise.all([
      settled(objects.getAllKeys()),
      settled(objects.getAll() as IDBRequest<unknown[]>),
    ])
    database.close()
    return Object.fromEntries(keys.map((key, index) => [key as string, values[index]]))
  })
}

test('§7.15.1 §9.10.3/3 entries that older clients stored in localStorage are moved to IndexedDB, once', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${server.url}/blank`)
  await page.evaluate(() => {
    localStorage.setItem('wc@2:core:0.3//keychain', '{"a":"b"}')
    localStorage.setItem('WALLETCONNECT_DEEPLINK_CHOICE', '{"href":"x"}')
    localStorage.setItem('-wc_old', '1')
    localStorage.setItem('my_wallet_connect', '2')
    localStorage.setItem('theme', 'dark')
  })
  await load(page)
  expect(
    await page.evaluate(async () => {
      const store = await window.testApi.store
      return [await store.getItem('wc@2:core:0.3//keychain'), Object.keys(localStorage).sort()]
    }),
  ).toEqual(['{"a":"b"}', ['-wc_old', 'my_wallet_connect', 'theme']])
  expect(await readDatabase(page)).toEqual({
    'wc@2:core:0.3:keychain': '{"a":"b"}',
    WALLETCONNECT_DEEPLINK_CHOICE: '{"href":"x"}',
    '-wc_old': '1',
    my_wallet_connect: '2',
    wc_storage_version: '1',
  })

  // An entry that is added later is not from an older client, so it is not moved.
  await page.evaluate(() => localStorage.setItem('wc@later', '3'))
  await load(page)
  expect(
    await page.evaluate(async () => {
      await window.testApi.store
      return [localStorage.getItem('wc@later'), window.testApi.failures]
    }),
  ).toEqual(['3', []])
  expect(await readDatabase(page)).not.toHaveProperty('wc@later')
})

test('changes made in one task share a transaction, and reads return them', async () => {
  const { page } = await openPage(browser)
  await load(page)
  const found = await page.evaluate(async () => {
    const store = await window.testApi.store
    let transactions = 0
    const real = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, 'transaction')!
    IDBDatabase.prototype.transaction = function (...parameters) {
      if (parameters[1] === 'readwrite') transactions += 1
      return Reflect.apply(real.value as typeof this.transaction, this, parameters)
    }
    const changes = [
      store.setItem('a', '1'),
      store.setItem('b', '2'),
      store.removeItem('a'),
      store.setItem('c', '3'),
    ]
    const read = [await store.getItem('a'), await store.getItem('c'), await store.getKeys()]
    await Promise.all(changes)
    return { transactions, read }
  })
  expect(found).toEqual({ transactions: 1, read: [undefined, '3', expect.any(Array)] })
  expect(await readDatabase(page)).toMatchObject({ b: '2', c: '3' })
  expect(await readDatabase(page)).not.toHaveProperty('a')
})

test('a change that exceeds the quota does not make the other changes in the same task fail', async () => {
  const { page } = await openPage(browser)
  await load(page)
  const failures = await page.evaluate(async () => {
    const store = await window.testApi.store
    const real = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')!
    IDBObjectStore.prototype.put = function (value: unknown, key) {
      // Simulates a full disk: the request succeeds, then the transaction aborts.
      if (key === 'large') queueMicrotask(() => this.transaction.abort())
      return Reflect.apply(real.value as typeof this.put, this, [value, key])
    }
    await Promise.all([store.setItem('small', '1'), store.setItem('large', '2')])
    Object.defineProperty(IDBObjectStore.prototype, 'put', real)
    return [window.testApi.failures.length, await store.getItem('large')]
  })
  expect(await readDatabase(page)).toMatchObject({ small: '1' })
  // The failure is reported, and the value is kept in memory.
  expect(failures).toEqual([1, '2'])
})

test('if the browser lost the connection to the database, reads open another one', async () => {
  const { page } = await openPage(browser)
  await load(page)
  const read = await page.evaluate(async () => {
    const store = await window.testApi.store
    await store.setItem('a', '1')
    const real = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'get')!
    let lost: IDBDatabase | undefined
    IDBObjectStore.prototype.get = function (key) {
      // Simulates Safari: every read on the lost connection aborts.
      lost ??= this.transaction.db
      const { transaction } = this
      if (transaction.db === lost) queueMicrotask(() => transaction.abort())
      return Reflect.apply(real.value as typeof this.get, this, [key])
    }
    return [await store.getItem('a'), await store.getItem('a'), window.testApi.failures]
  })
  expect(read).toEqual(['1', '1', []])
})

test('another tab can delete the database; the page then stores its next value in a new one', async () => {
  const { page, context } = await openPage(browser)
  await load(page)
  await page.evaluate(async () => (await window.testApi.store).setItem('before', '1'))
  const other = await context.newPage()
  await other.goto(`${server.url}/blank`)
  const outcome = await other.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('WALLET_CONNECT_V2_INDEXED_DB')
        for (const name of ['success', 'error', 'blocked'])
          request.addEventListener(name, () => resolve(name))
      }),
  )
  expect(outcome).toBe('success')
  await page.evaluate(async () => (await window.testApi.store).setItem('after', '2'))
  expect(await readDatabase(other)).toEqual({ after: '2' })
})

test('a page without storage and locks falls back to memory and reports the failure', async () => {
  const { page, pageErrors } = await openPage(browser)
  await page.goto(`${server.url}/sandboxed`)
  await page.waitForFunction(() => 'testApi' in window)
  const { value, failures, sum, isLeader } = await page.evaluate(async () => {
    const store = await window.testApi.store
    await store.setItem('wc@2:client:0.3//session', '[]')
    const { host } = window.testApi.openTab()
    return {
      value: await store.getItem('wc@2:client:0.3//session'),
      failures: window.testApi.failures,
      sum: await host.run(4),
      isLeader: host.isLeader(),
    }
  })
  expect({ value, sum, isLeader }).toEqual({ value: '[]', sum: 4, isLeader: true })
  // The migration and the store each report the failure once.
  expect(failures).toHaveLength(2)
  expect(failures[0]).toMatch(/^localStorage: SecurityError/)
  expect(failures[1]).toMatch(/^wc@2:client:0.3\/\/session: SecurityError/)
  expect(pageErrors).toEqual([])
})

async function openTabs(context: BrowserContext, count: number) {
  const pages = await Promise.all(Array.from({ length: count }, () => context.newPage()))
  for (const page of pages) {
    await load(page)
    await page.evaluate(async () => {
      window.testApi.tab = window.testApi.openTab()
      await window.testApi.tab.host.ready()
    })
  }
  return pages
}

const run = (page: Page, add: number) =>
  page.evaluate((by) => window.testApi.tab?.host.run(by), add)
const isLeader = (page: Page) => page.evaluate(() => window.testApi.tab?.host.isLeader())
const sum = (page: Page) => page.evaluate(() => window.testApi.tab?.host.snapshot().sum)

test('three tabs have one leader and the same state within a second; when the leader closes, the next tab takes over', async () => {
  const { context } = await openPage(browser)
  const [first, second, third] = await openTabs(context, 3)
  if (!first || !second || !third) throw new Error('no tabs')
  expect(await Promise.all([first, second, third].map(isLeader))).toEqual([true, false, false])

  expect(await run(second, 5)).toBe(5)
  const within = { timeout: 1_000 }
  await expect.poll(() => Promise.all([first, second, third].map(sum)), within).toEqual([5, 5, 5])

  // Simulates a crash of the tab.
  await first.close({ runBeforeUnload: false })
  expect(await run(third, 2)).toBe(7)
  expect(await Promise.all([second, third].map(isLeader))).toEqual([true, false])
  await expect.poll(() => Promise.all([second, third].map(sum)), within).toEqual([7, 7])
  expect(await third.evaluate(() => window.testApi.tab?.received)).toEqual(['now 5', 'now 7'])
})
