import { CaipNetworkId } from '@gatefold/protocol'
import type { Config } from '../config.ts'
import { toBatch } from '../rpc/batch.ts'
import { createUpstream, type Upstream } from '../rpc/createUpstream.ts'
import { UpstreamError } from '../rpc/UpstreamError.ts'
import { maxBlocksBehind } from '../rpc/createChain.ts'
import { networkFix, reasonOf, type ClockSample, type Finding } from './Finding.ts'

/** Time limit for each request, in ms. */
const timeoutMs = 5_000
/** Age of the latest block above which a node is stale, in ms. Public chains have a block at least every minute. */
const maxBlockAgeMs = 10 * 60_000
/** Chain ids of development chains, which may have no block for hours. */
const developmentChains = new Set(['1337', '31337', '31338'])

type Node = { chainId: string; url: string; upstream: Upstream; head?: number; problem?: Problem }
type Problem = Pick<Finding, 'message' | 'fix'>

/** Checks every node in `GATEFOLD_RPC_URLS`: reachable, on the right chain, not stale. */
export async function checkRpc(
  { rpcUrls }: Config,
  now: () => number,
): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  const nodes = Object.entries(rpcUrls).flatMap(([chainId, urls]) =>
    urls.map((url): Node => ({
      chainId,
      url,
      upstream: createUpstream({ url, now, keepsNumbers: !chainId.startsWith('eip155:') }),
    })),
  )
  if (nodes.length === 0) {
    const message = 'GATEFOLD_RPC_URLS is empty: the server proxies no chain.'
    return { findings: [{ check: 'rpc', status: 'skipped', message }], clocks: [] }
  }
  const clocks: ClockSample[] = []
  await Promise.all(
    nodes.map(async (node) => {
      node.problem = await checkNode(node, now).catch((error: unknown) => fault(node, error))
      const clock = await readClock(node, now).catch(() => undefined)
      if (clock) clocks.push(clock)
    }),
  )
  for (const node of nodes) node.problem ??= findLag(node, nodes)
  return { findings: nodes.map(toFinding), clocks }
}

function nameOf({ chainId, upstream }: Node) {
  return `${chainId} at ${upstream.host}`
}

function toFinding(node: Node): Finding {
  if (node.problem) return { check: 'rpc', status: 'error', ...node.problem }
  const block = node.head === undefined ? '' : `, block ${node.head}`
  return { check: 'rpc', status: 'ok', message: `${nameOf(node)} responds${block}.` }
}

async function checkNode(node: Node, now: () => number): Promise<Problem | undefined> {
  const { namespace, reference } = CaipNetworkId.parse(node.chainId)
  const methods = { eip155: 'eth_chainId', solana: 'getGenesisHash' } as Record<string, string>
  const method = methods[namespace]
  if (method === undefined) return undefined
  const id = String(await call(node, method))
  const isRight =
    namespace === 'eip155' ? Number(id) === Number(reference) : id.startsWith(reference)
  if (!isRight) {
    const actual = namespace === 'eip155' ? `eip155:${Number(id)}` : id
    return {
      message: `${nameOf(node)}: the node serves ${actual}.`,
      fix: `Move the URL to ${actual} in GATEFOLD_RPC_URLS, or replace it by a node of ${node.chainId}.`,
    }
  }
  if (namespace !== 'eip155') {
    node.head = Number(await call(node, 'getSlot'))
    return undefined
  }
  const block = (await call(node, 'eth_getBlockByNumber', ['latest', false])) as {
    number?: string
    timestamp?: string
  } | null
  node.head = Number(block?.number)
  const ageMs = now() - Number(block?.timestamp) * 1000
  if (!(ageMs > maxBlockAgeMs) || developmentChains.has(reference)) return undefined
  return {
    message: `${nameOf(node)} is stale: its latest block (${node.head}) is ${formatAge(ageMs)} old.`,
    fix: 'Wait until the node has synchronized, or replace its URL in GATEFOLD_RPC_URLS.',
  }
}

/** Compares a node with the others of its chain, as the server does. */
function findLag(node: Node, nodes: readonly Node[]): Problem | undefined {
  const heads = nodes.flatMap(({ chainId, head }) => (chainId === node.chainId && head) || [])
  const behind = Math.max(...heads) - (node.head ?? Number.NaN)
  if (!(behind > maxBlocksBehind)) return undefined
  return {
    message: `${nameOf(node)} is stale: it is ${behind} blocks behind another node of the chain, so it gets no calls.`,
    fix: 'Wait until the node has synchronized, or replace its URL in GATEFOLD_RPC_URLS.',
  }
}

async function call({ upstream }: Node, method: string, params: unknown[] = []): Promise<unknown> {
  const [reply] = await upstream.send(toBatch([{ method, params }]), AbortSignal.timeout(timeoutMs))
  if (reply && 'result' in reply) return reply.result
  throw new UpstreamError(`${method}: ${reply?.error.message ?? 'no reply'}`)
}

function fault(node: Node, error: unknown): Problem {
  const reason = error instanceof UpstreamError ? error.reason : reasonOf(error)
  const cause = reason === 'unreachable' ? reasonOf(error) : reason
  const status = /^status_(\d+)$/.exec(reason)?.[1]
  const setting = `GATEFOLD_RPC_URLS for ${node.chainId}`
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(node.upstream.host)
  if (status === '401' || status === '403')
    return {
      message: `${nameOf(node)} refuses access (HTTP ${status}).`,
      fix: `Correct the key or password of the URL in ${setting}.`,
    }
  if (status === '429')
    return {
      message: `${nameOf(node)} refuses requests: too many (HTTP 429).`,
      fix: `Raise the limit of your plan, or add a second URL in ${setting}.`,
    }
  return {
    message: `${nameOf(node)} cannot be used: ${status ? `HTTP ${status}` : cause}.`,
    fix:
      cause === 'ECONNREFUSED' && isLocal
        ? `Start the local chain (npm start), or set ${setting} to your node.`
        : (networkFix(cause, setting) ??
          `Check that the URL in ${setting} is that of a JSON-RPC node.`),
  }
}

/** Reads the `Date` header of a response, whatever its status. */
async function readClock(
  { url, upstream }: Node,
  now: () => number,
): Promise<ClockSample | undefined> {
  const before = now()
  const { origin } = new URL(url)
  const response = await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) })
  return readDate(response.headers.get('date'), upstream.host, (before + now()) / 2)
}

/** A sample from a `Date` header, which has whole seconds. */
export function readDate(date: string | null, source: string, at: number): ClockSample | undefined {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? undefined : { source, aheadMs: at - (time + 500) }
}

function formatAge(ms: number) {
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
