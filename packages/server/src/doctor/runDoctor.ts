import { ConfigError, readConfig, type Config } from '../config.ts'
import { selectRoles } from '../roles.ts'
import { checkClock } from './checkClock.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkFrame } from './checkFrame.ts'
import { checkPrices } from './checkPrices.ts'
import { checkRedis } from './checkRedis.ts'
import { checkRpc } from './checkRpc.ts'
import { checkSocials } from './checkSocials.ts'
import { checkSwaps } from './checkSwaps.ts'
import { checkTls } from './checkTls.ts'
import type { Finding } from './Finding.ts'

/**
 * Checks the settings and, from this machine, the services that the server needs. Changes nothing.
 *
 * @param options.urls - public URLs of the server, in addition to `GATEFOLD_RELAY_URLS`.
 * @param options.now - a clock for tests.
 */
export async function runDoctor(options: {
  env: Record<string, string | undefined>
  urls?: readonly string[]
  now?: () => number
}): Promise<Finding[]> {
  const { env, urls = [], now = Date.now } = options
  let config: Config
  try {
    config = readConfig(env)
    selectRoles(config.roles)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Correct the environment variable; gatefold help serve lists all of them.'
    return error.problems.map((message) => ({ check: 'settings', status: 'error', message, fix }))
  }
  const publicUrls = [...new Set([...urls, ...(config.relayUrls ?? [])])].map((url) => ({
    url,
    setting: 'GATEFOLD_RELAY_URLS or --url',
  }))
  const frameUrls = config.frameUrl ? [{ url: config.frameUrl, setting: 'GATEFOLD_FRAME_URL' }] : []
  const results = await Promise.all([
    checkDatabase(config, now),
    checkRedis(config, now),
    checkRpc(config, now),
    checkPrices(config, now),
    checkSwaps(config, now),
    checkSocials(config),
    checkTls([...publicUrls, ...frameUrls], now),
  ])
  const frame = await checkFrame(config, results[0].keyIds)
  const samples = results.flatMap(({ clocks }) => clocks)
  return [
    { check: 'settings', status: 'ok', message: 'All environment variables are valid.' },
    ...results.flatMap(({ findings }) => findings),
    ...frame.findings,
    ...checkClock(samples),
  ]
}
