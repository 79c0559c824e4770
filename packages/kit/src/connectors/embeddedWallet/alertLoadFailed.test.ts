import { describe, expect, test, vi } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { GatewayError } from '../../core/kit/requestErrors.ts'
import { useKits } from '../../core/testing/useKits.ts'
import { alertLoadFailed } from './alertLoadFailed.ts'

const { start } = useKits()

/** The alert of a page on https://book.example, by the gateway's reply. */
async function alertOf(origins: (() => Promise<string[]>) | undefined, projectId?: string) {
  vi.stubGlobal('location', new URL('https://book.example/read'))
  let context!: ConnectorContext
  const capture = (given: ConnectorContext) => {
    context = given
    return undefined
  }
  const options = { debug: true, connectors: [capture], projectId }
  const { kit } = start(options, origins && { origins })
  await alertLoadFailed(context)
  await expect.poll(() => kit.getState().alerts).not.toEqual([])
  return kit.getState().alerts.map(({ message }) => message)
}

const loadFailed = ['Network Error: Could not load embedded wallet']
const failing = (status?: number) => () =>
  Promise.reject<string[]>(new GatewayError('Refused', { status: status! }))

test('§8.8.1/5 if the project does not list the page, its domain is unverified', async () => {
  const other = async () => ['https://other.example']
  expect(await alertOf(other, 'p1')).toEqual(['Unverified Domain'])
  expect(await alertOf(async () => ['https://*.example'], 'p1')).toEqual(loadFailed)
})

describe('§8.8.1/8 without a project id, it is reported', () => {
  test.each([
    ['an empty list', async () => []],
    ['§8.2.2/3 a refused request', failing(403)],
  ])('%s', async (_, origins) => {
    expect(await alertOf(origins)).toEqual(['Project ID Not Configured'])
  })
})

test.each([
  ['there is no gateway', undefined],
  ['the gateway does not respond', failing()],
  ['the gateway rejects requests because there were too many', failing(429)],
  ['the gateway fails', failing(500)],
])('§8.8.1/3 if %s, the frame is reported', async (_, origins) => {
  expect(await alertOf(origins, origins && 'p1')).toEqual(loadFailed)
})
