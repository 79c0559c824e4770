import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasBundler, startChain } from '@gatefold/chain'
import { launchBrowser } from '@gatefold/tests/browser'
import type { Report } from '../main.ts'
import { benchLogins } from './benchLogins.ts'
import { benchSponsored } from './benchSponsored.ts'
import { benchVisits } from './benchVisits.ts'
import { startFrameServer } from './startFrameServer.ts'
import { startHost } from './startHost.ts'
import { startMail } from './startMail.ts'

type Row = Report['rows'][number]

/** Limits for the secure frame. @see docs/adr/0027-secure-frame.md */
const limits = {
  newVisitorMs: 2_000,
  returningVisitorMs: 800,
  approvalMs: 100,
  sponsoredMs: 1_500,
  kilobytes: 60,
  loginP99Ms: 1_000,
}

/**
 * Measures the secure frame: visits in a browser, a sponsored operation if the
 * bundler is installed, then logins at a constant rate.
 *
 * @param options.runs - number of visits; the results are medians.
 * @returns rows of the report.
 */
export async function benchFrame(options: {
  runs: number
  logins: number
  perMinute: number
}): Promise<Row[]> {
  const { runs, logins, perMinute } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-bench-frame-'))
  const [mail, chain, browser] = await Promise.all([startMail(), startChain(), launchBrowser()])
  const server = await startFrameServer({ dataDir, smtpUrl: mail.url, rpcUrl: chain.url })
  const host = await startHost(server.url)
  try {
    const { url: frameUrl } = server
    const visits = await benchVisits({ browser, frameUrl, host: host.url, mail, runs })
    const sponsored = hasBundler()
      ? await benchSponsored({ browser, chain, mail, dataDir: join(dataDir, 'sponsored'), runs })
      : undefined
    await browser.close()
    const load = await benchLogins({ url: frameUrl, mail, logins, perMinute })
    const kilobytes = Math.round(visits.bytes / 102.4) / 10
    return [
      toRow('new visitor: address submitted to account, without the mail', {
        unit: 'ms',
        value: visits.newVisitor,
        limit: limits.newVisitorMs,
      }),
      toRow('returning visitor: page load to account', {
        unit: 'ms',
        value: visits.returningVisitor,
        limit: limits.returningVisitorMs,
      }),
      toRow('approval: click to signature', {
        unit: 'ms',
        value: visits.approval,
        limit: limits.approvalMs,
      }),
      toRow('the frame before the first approval, brotli', {
        unit: 'KB',
        value: kilobytes,
        limit: limits.kilobytes,
      }),
      ...(sponsored === undefined
        ? []
        : [
            toRow('sponsored operation, beyond the bundler’s time', {
              unit: 'ms',
              value: sponsored,
              limit: limits.sponsoredMs,
            }),
          ]),
      toRow(`login, p50 (${load.perMinute} a minute)`, { unit: 'ms', value: load.p50 }),
      toRow(`login, p99 (${load.perMinute} a minute)`, {
        unit: 'ms',
        value: load.p99,
        limit: limits.loginP99Ms,
      }),
      toRow(`lost of ${load.logins} logins`, { unit: '', value: load.lost, limit: 0 }),
    ]
  } finally {
    await browser.close()
    await Promise.all([host.stop(), server.program.stop()])
    await Promise.all([mail.stop(), chain.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A row whose value must not exceed its limit. */
function toRow(
  what: string,
  { unit, value, limit }: { unit: string; value: number; limit?: number },
): Row {
  return {
    what: `frame, ${what}`,
    unit,
    bare: undefined,
    gatefold: Math.round(value * 10) / 10,
    ...(limit !== undefined && { limit: String(limit), holds: value <= limit }),
  }
}
