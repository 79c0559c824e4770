import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '@gatefold/tests/browser'
import { expect, onTestFinished, test, vi } from 'vitest'

import { buildPage } from './buildPage.ts'
import { lists } from './main.ts'
import { measureViews, viewLimitsKb } from './measurePage.ts'
import { serveSite } from './serveSite.ts'
import { startSlowGateway } from './slowGateway.ts'

test('Account adds at most 25 KB, and Swap, Send, Buy and Name at most 15 KB each', async () => {
  // Vitest sets `test`, with which Vite builds React for development.
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  const out = await mkdtemp(join(tmpdir(), 'gatefold-views-'))
  onTestFinished(() => rm(out, { recursive: true, force: true }))
  await buildPage({ page: 'gatefold', out })
  const site = await serveSite(out)
  onTestFinished(() => site.stop())
  const gateway = await startSlowGateway(0)
  onTestFinished(() => gateway.stop())
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const added = await measureViews(browser, {
    site,
    list: lists.gatefold,
    query: `?gateway=${encodeURIComponent(gateway.url)}`,
  })
  for (const [view, limitKb] of Object.entries(viewLimitsKb)) {
    const bytes = added[view as keyof typeof added]
    expect(bytes, view).toBeGreaterThan(0)
    expect(bytes, view).toBeLessThanOrEqual(limitKb * 1024)
  }
})
