import { hasBundler } from '@gatefold/chain'
import { whyNoRedis } from '@gatefold/tests/redis'
import { expect, test } from 'vitest'

import { benchBalance } from './benchBalance.ts'
import { benchIndexer } from './benchIndexer.ts'
import { benchFrame } from './frame/benchFrame.ts'
import { formatReport, toActivityRows } from './main.ts'
import { benchRoutes } from './money/benchRoutes.ts'
import { benchRpc } from './money/benchRpc.ts'
import { benchRelay } from './relay/benchRelay.ts'

test('the report marks the limits that were missed', () => {
  const text = formatReport({
    rows: [
      { what: 'second open', unit: 'ms', bare: 4, gatefold: 31, limit: '20', holds: false },
      { what: 'click to connected', unit: 'ms', bare: 20, gatefold: 22 },
    ],
  })
  expect(text).toMatchInlineSnapshot(`
    "                    bare page  gatefold  unit  limit
    second open         4          31        ms    20     MISSED
    click to connected  20         22        ms"
  `)
})

test.skipIf(await whyNoRedis())(
  'measures the relay and a bare server; the relay loses no acknowledged message when it is killed',
  async () => {
    const rows = await benchRelay({ seconds: 0.5, rounds: 1, pairs: 20, idle: [10, 20], kills: 2 })
    for (const { what, gatefold } of rows) expect(gatefold, what).toSatisfy(Number.isFinite)
    expect(rows.filter(({ unit }) => unit === '/s')[0]?.gatefold).toBeGreaterThan(0)
    expect(rows.filter(({ limit }) => limit !== undefined)).toHaveLength(9)
    // Only `npm run bench`, on an idle machine, compares the rates with their limits.
    expect(rows.find(({ limit }) => limit === '0')).toMatchObject({ holds: true })
  },
  // It starts about 20 programs, one after the other.
  600_000,
)

test('scrolls 2,000 transactions on a slow processor; no turn of the wheel and no key is lost', async () => {
  const rows = await toActivityRows({ wheels: 40, keys: 45 })
  expect(rows).toHaveLength(8)
  for (const { what, gatefold } of rows) expect(gatefold, what).toSatisfy(Number.isFinite)
  // Times are compared with their limits only by `npm run bench`, on an idle machine.
  const lost = rows.filter(({ limit }) => limit === '0')
  expect(lost.map(({ gatefold }) => gatefold)).toEqual([0, 0])
})

test('measures balances, and the node for comparison', async () => {
  const { calls, ...times } = await benchBalance({ accounts: 5 })
  for (const { p50, p99 } of Object.values(times)) expect(p99 >= p50 && p50 > 0).toBe(true)
  expect(calls.cold).toBeLessThanOrEqual(2)
  expect(calls.cached).toBe(0)
})

test('measures the JSON-RPC proxy and the routes of accounts', async () => {
  const rpc = await benchRpc({ seconds: 0.5, rounds: 1 })
  expect(rpc.map(({ calls }) => calls)).toEqual([1, 10, 100])
  for (const { gateway, node, plain } of rpc)
    for (const { rate } of [gateway, node, plain]) expect(rate).toSatisfy(Number.isFinite)
  const routes = await benchRoutes({ seconds: 0.5, rounds: 1 })
  expect(routes.map(({ name }) => name)).toEqual(['balance, cached', 'history', 'quotes'])
  for (const { bare, gateway } of routes)
    for (const { rate } of [bare, gateway]) expect(rate).toSatisfy(Number.isFinite)
  expect(routes.map(({ node }) => node !== undefined)).toEqual([false, false, true])
})

test('measures visits of the secure frame and logins; no login is lost', async () => {
  const rows = await benchFrame({ runs: 1, logins: 10, perMinute: 300 })
  for (const { what, gatefold } of rows) expect(gatefold, what).toSatisfy(Number.isFinite)
  expect(rows.filter(({ limit }) => limit !== undefined)).toHaveLength(hasBundler() ? 7 : 6)
  // Times are compared with their limits only by `npm run bench`, on an idle machine.
  expect(rows.filter(({ unit }) => unit !== 'ms').every(({ holds }) => holds)).toBe(true)
})

test('measures the indexer of the history', async () => {
  const { catchUp, lag, memory } = await benchIndexer({
    blocks: 20,
    accounts: [10, 60],
    seconds: 1,
  })
  expect(catchUp).toBeGreaterThan(0)
  expect(lag).toSatisfy(Number.isFinite)
  expect(memory.map(({ accounts, megabytes }) => [accounts, megabytes > 0])).toEqual([
    [10, true],
    [60, true],
  ])
})
