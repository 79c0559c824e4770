import { afterEach, expect, test, vi } from 'vitest'

import { cookieStorage, memoryStorage } from '../storage/storage.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { ResolvedOptions } from './options.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The warnings of two renders with fresh modules. */
async function warningsOf(options: { ssr?: boolean; storage?: KeyValueStorage }) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { checkRendering } = await import('./checkRendering.ts')
  checkRendering(options as ResolvedOptions)
  checkRendering(options as ResolvedOptions)
  return warn.mock.calls.map(([text]) => String(text))
}

test.each([
  ['ssr and no storage', { ssr: true }],
  ['ssr and another storage', { ssr: true, storage: memoryStorage() }],
  ['the cookie of a request', { ssr: true, storage: cookieStorage('gatefold=1') }],
  ['a request without a cookie', { ssr: true, storage: cookieStorage('') }],
])('with %s, nothing is logged', async (_, options) => {
  expect(await warningsOf(options)).toEqual([])
})

test.each([
  ['without `ssr`', {}, 'Add it to the options of createGatefold'],
  [
    'with `cookieStorage()`',
    { ssr: true, storage: cookieStorage() },
    'pass that component `gatefoldCookie(…)` from the server',
  ],
])('error: %s, one warning names the fix', async (_, options, fix) => {
  const warnings = await warningsOf(options)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(fix)
  expect(warnings[0]).toContain('docs/frameworks.md')
})

test('on a production server, nothing is logged', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  expect(await warningsOf({})).toEqual([])
})

test.each([
  ['`process`', undefined],
  ['environment variables', {}],
])('on a server without %s, a warning is logged', async (_, process) => {
  await import('./checkRendering.ts')
  vi.stubGlobal('process', process)
  expect(await warningsOf({})).toHaveLength(1)
})
