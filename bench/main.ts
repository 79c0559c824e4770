import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { launchBrowser } from '@gatefold/tests/browser'

import { buildPage } from './buildPage.ts'
import type { PageName } from './buildPage.ts'
import {
  measureBytes,
  measureCode,
  measureConnect,
  measureFirstOpen,
  measureHeap,
  measureSecondOpen,
  measureViews,
  viewLimitsKb,
} from './measurePage.ts'
import type { Measured } from './measurePage.ts'
import { serveSite } from './serveSite.ts'
import { startSlowGateway } from './slowGateway.ts'

/** The results. `bare` is the result of the bare page or server in the same run, if it was measured. */
export type Report = { rows: Row[] }
type Row = {
  what: string
  unit: string
  bare: number | undefined
  gatefold: number
  limit?: string
  holds?: boolean
}

export const lists: Record<PageName, string> = {
  bare: 'dialog',
  gatefold: '[data-gatefold] [role="dialog"]',
}

/** How long the pointer hovers over the button before the click, in ms. */
const hoverMs = 200

/**
 * Measures two pages: one with Gatefold, and the bare page.
 *
 * @param parameters.runs - samples per measurement; at most 5 for the QR code
 * @param parameters.cycles - open and close cycles for the heap measurement
 */
export async function benchPage(parameters: { runs: number; cycles: number }): Promise<Report> {
  const { runs, cycles } = parameters
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-bench-'))
  const browser = await launchBrowser()
  const gateways = await Promise.all([0, 500, Infinity].map(startSlowGateway))
  const [fast, slow, dead] = gateways as [
    (typeof gateways)[0],
    (typeof gateways)[0],
    (typeof gateways)[0],
  ]
  const sites: Partial<Record<PageName, Awaited<ReturnType<typeof serveSite>>>> = {}
  try {
    for (const page of ['bare', 'gatefold'] as const) {
      await buildPage({ page, out: join(folder, page) })
      sites[page] = await serveSite(join(folder, page))
    }
    const bare: Measured = { site: sites.bare!, list: lists.bare }
    const kit: Measured = { site: sites.gatefold!, list: lists.gatefold }
    const withGateway = (gateway: { url: string }): Measured => ({
      ...kit,
      query: `?gateway=${encodeURIComponent(gateway.url)}`,
    })

    const onIntent: Measured = { ...kit, saveData: true }
    const bytes = { bare: await measureBytes(browser, bare), kit: await measureBytes(browser, kit) }
    const first = {
      bare: await measureFirstOpen(browser, bare, { runs }),
      cold: await measureFirstOpen(browser, onIntent, { runs }),
      offline: await measureFirstOpen(browser, kit, { runs }),
      fast: await measureFirstOpen(browser, withGateway(fast), { runs }),
      slow: await measureFirstOpen(browser, withGateway(slow), { runs }),
      dead: await measureFirstOpen(browser, withGateway(dead), { runs }),
    }
    const hovered = {
      bare: await measureFirstOpen(browser, bare, { runs, restMs: hoverMs }),
      kit: await measureFirstOpen(browser, onIntent, { runs, restMs: hoverMs }),
    }
    const second = {
      bare: await measureSecondOpen(browser, bare, runs),
      kit: await measureSecondOpen(browser, kit, runs),
    }
    const connecting = {
      bare: await measureConnect(browser, bare, runs),
      kit: await measureConnect(browser, kit, runs),
    }
    const code = await measureCode(browser, kit, Math.min(runs, 5))
    const views = await measureViews(browser, withGateway(fast))
    const heap = {
      bare: await measureHeap(browser, bare, cycles),
      kit: await measureHeap(browser, kit, cycles),
    }

    const kb = (value: number) => Math.round(value / 102.4) / 10
    const over = (what: string, key: 'firstLoad' | 'untilOpen', limitKb: number): Row[] =>
      (['brotli', 'gzip'] as const).map((encoding) => {
        const extra = kb(bytes.kit[key][encoding] - bytes.bare.firstLoad[encoding])
        return {
          what: `${what}, ${encoding} (+${extra})`,
          unit: 'KB',
          bare: kb(bytes.bare.firstLoad[encoding]),
          gatefold: kb(bytes.kit[key][encoding]),
          ...(encoding === 'brotli' && { limit: `+${limitKb}`, holds: extra <= limitKb }),
        }
      })
    const ratio = (what: string, value: number, native = first.bare): Row => ({
      what: `${what} (${(value / native).toFixed(1)}x)`,
      unit: 'ms',
      bare: native,
      gatefold: value,
      limit: '3x',
      holds: value <= native * 3,
    })
    const rows: Row[] = [
      ...over('JS and CSS at first load', 'firstLoad', 15),
      ...over('JS and CSS until Connect is open', 'untilOpen', 40),
      {
        what: 'requests before the click',
        unit: '',
        bare: bytes.bare.requestsBefore,
        gatefold: bytes.kit.requestsBefore,
      },
      ratio('click to painted list, no gateway', first.offline),
      {
        ...ratio('click to painted list, without prefetch', first.cold),
        limit: undefined,
        holds: undefined,
      },
      ratio('click to painted list, gateway without delay', first.fast),
      ratio('click to painted list, gateway with 500 ms delay', first.slow),
      ratio('click to painted list, gateway does not respond', first.dead),
      ratio(
        `click to painted list, without prefetch, after hovering for ${hoverMs} ms`,
        hovered.kit,
        hovered.bare,
      ),
      {
        what: 'second open',
        unit: 'ms',
        bare: second.bare,
        gatefold: second.kit,
        limit: '20',
        holds: second.kit <= 20,
      },
      {
        what: 'click to the wallet request',
        unit: 'ms',
        bare: connecting.bare.requested,
        gatefold: connecting.kit.requested,
        limit: '16.7',
        holds: connecting.kit.requested <= 16.7,
      },
      {
        what: 'click to connected',
        unit: 'ms',
        bare: connecting.bare.connected,
        gatefold: connecting.kit.connected,
      },
      {
        what: 'JS and CSS that the QR code adds, brotli',
        unit: 'KB',
        bare: undefined,
        gatefold: kb(code.added),
        limit: '45',
        holds: kb(code.added) <= 45,
      },
      ...Object.entries(views).map(([view, bytes]): Row => {
        const limitKb = viewLimitsKb[view as keyof typeof viewLimitsKb]
        const beyond = view === 'Account' ? 'the connect view' : 'Account'
        return {
          what: `JS and CSS that ${view} adds to ${beyond}, brotli`,
          unit: 'KB',
          bare: undefined,
          gatefold: kb(bytes),
          limit: String(limitKb),
          holds: kb(bytes) <= limitKb,
        }
      }),
      {
        what: 'click to painted QR code, no relay',
        unit: 'ms',
        bare: undefined,
        gatefold: code.painted,
      },
      {
        what: `heap growth over ${cycles} open and close cycles`,
        unit: 'KB',
        bare: heap.bare.after - heap.bare.before,
        gatefold: heap.kit.after - heap.kit.before,
      },
    ]
    return { rows }
  } finally {
    await browser.close()
    await Promise.all([...gateways, ...Object.values(sites)].map((one) => one.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Formats the results as a table. */
export function formatReport({ rows }: Report): string {
  const cells = rows.map((row) => [
    row.what,
    row.bare === undefined ? '' : String(row.bare),
    String(row.gatefold),
    row.unit,
    row.limit ?? '',
    row.holds === undefined ? '' : row.holds ? 'ok' : 'MISSED',
  ])
  const head = ['', 'bare page', 'gatefold', 'unit', 'limit', '']
  const widths = head.map((_, column) =>
    Math.max(...[head, ...cells].map((line) => line[column]?.length ?? 0)),
  )
  return [head, ...cells]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '9' },
      cycles: { type: 'string', default: '200' },
      gateway: { type: 'boolean', default: true },
      page: { type: 'boolean', default: true },
      frame: { type: 'boolean', default: true },
      phone: { type: 'boolean', default: true },
      relay: { type: 'boolean', default: true },
    },
    allowNegative: true,
  })
  const folder = fileURLToPath(new URL('../.gatefold', import.meta.url))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const report: Report = { rows: [] }
  /**
   * Prints and saves the results of a part immediately, because a full run
   * takes long and may be interrupted.
   */
  const add = async (rows: Row[]) => {
    report.rows.push(...rows)
    console.log(`${formatReport({ rows })}\n`)
    await writeFile(join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
  }
  if (values.page)
    await add((await benchPage({ runs: Number(values.runs), cycles: Number(values.cycles) })).rows)
  if (values.page) await add(await toActivityRows({ wheels: 150, keys: 90 }))
  if (values.gateway) {
    await add(await toGatewayRows())
    await add(await toBalanceRows())
    const { toMoneyRows } = await import('./money/toMoneyRows.ts')
    await add(await toMoneyRows({ seconds: 5, rounds: 5 }))
    await add(await toIndexerRows())
  }
  if (values.frame) {
    const { benchFrame } = await import('./frame/benchFrame.ts')
    await add(await benchFrame({ runs: Number(values.runs), logins: 500, perMinute: 500 }))
    const { hasBundler } = await import('@gatefold/chain')
    if (!hasBundler())
      console.log(
        'Not measured: sponsored operations need the bundler, see docs/operators.md#smart-accounts.\n',
      )
  }
  if (values.phone) {
    const { benchPhone, toRows } = await import('./phone/benchPhone.ts')
    await add(toRows(await benchPhone({ runs: Number(values.runs) })))
  }
  if (values.relay) {
    const { benchRelay } = await import('./relay/benchRelay.ts')
    const idle = [1_000, 10_000] as const
    await add(await benchRelay({ seconds: 5, rounds: 3, pairs: 1_200, idle, kills: 6 }))
  }
  console.log('As JSON: .gatefold/bench.json')
}

/** @param inputs - how many turns of the wheel and keys to send, in each direction */
export async function toActivityRows(inputs: { wheels: number; keys: number }): Promise<Row[]> {
  const { benchActivity, slowdown } = await import('./benchActivity.ts')
  const measured = Object.entries(await benchActivity(inputs))
  return measured.flatMap(([input, { delay, task, blank, dropped }]): Row[] => {
    const scrolling = `2,000 transactions scrolled by ${input}, ${slowdown}x slower CPU`
    const common = { bare: undefined, unit: 'ms' }
    return [
      {
        ...common,
        what: `${scrolling}: inputs without effect`,
        unit: '',
        gatefold: dropped,
        ...atMost(dropped, 0),
      },
      {
        ...common,
        what: `${scrolling}: longest wait of an input`,
        gatefold: round(delay),
        ...atMost(delay, 100),
      },
      { ...common, what: `${scrolling}: longest task`, gatefold: round(task) },
      { ...common, what: `${scrolling}: frames without rows`, unit: '', gatefold: blank },
    ]
  })
}

function atMost(value: number, limit: number): Pick<Row, 'limit' | 'holds'> {
  return { limit: String(limit), holds: value <= limit }
}

async function toGatewayRows(): Promise<Row[]> {
  const { benchGateway } = await import('./benchGateway.ts')
  const { bare, getWallets, ratio } = await benchGateway({ seconds: 5 })
  return [
    {
      what: `GET /getWallets compared with a bare route (${Math.round(ratio * 100)} %)`,
      unit: 'requests/s',
      bare: Math.round(bare),
      gatefold: Math.round(getWallets),
      limit: '60 %',
      holds: ratio >= 0.6,
    },
  ]
}

async function toBalanceRows(): Promise<Row[]> {
  const { benchBalance } = await import('./benchBalance.ts')
  const { node, cold, cached, calls } = await benchBalance({ accounts: 1_000 })
  return [
    {
      what: 'balance of 50 tokens, p50',
      unit: 'ms',
      bare: round(node.p50),
      gatefold: round(cold.p50),
    },
    {
      what: 'balance of 50 tokens, p99, compared with the node',
      unit: 'ms',
      bare: round(node.p99),
      gatefold: round(cold.p99),
      limit: '+15',
      holds: cold.p99 - node.p99 <= 15,
    },
    { what: 'cached balance, p99', unit: 'ms', bare: round(node.p99), gatefold: round(cached.p99) },
    ...(['cold', 'cached'] as const).map((what) => {
      const most = what === 'cold' ? 2 : 0
      return {
        what: `calls to the node for a balance of 50 tokens, ${what}`,
        unit: '',
        bare: undefined,
        gatefold: calls[what],
        limit: `${most}`,
        holds: calls[what] <= most,
      }
    }),
  ]
}

/** Milliseconds with one decimal. */
function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

async function toIndexerRows(): Promise<Row[]> {
  const { benchIndexer } = await import('./benchIndexer.ts')
  const sizes = [100, 1_000, 10_000]
  const { catchUp, lag, memory } = await benchIndexer({
    blocks: 3_000,
    accounts: sizes,
    seconds: 20,
  })
  return [
    {
      what: 'history, catching up with 100 accounts',
      unit: 'blocks/s',
      bare: undefined,
      gatefold: Math.round(catchUp),
      limit: '200',
      holds: catchUp >= 200,
    },
    {
      what: `history, most blocks behind with ${sizes.at(-1)} accounts`,
      unit: 'blocks',
      bare: undefined,
      gatefold: lag,
      limit: '2',
      holds: lag <= 2,
    },
    ...memory.map(({ accounts, megabytes }) => ({
      what: `memory of the process that indexes ${accounts} accounts`,
      unit: 'MB',
      bare: undefined,
      gatefold: megabytes,
    })),
  ]
}
