import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import { getAddress, type Address } from 'viem'
import type { Context } from '../../context.ts'
import { createSafeFetch } from '../../http/createSafeFetch.ts'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import {
  listNftCandidates,
  listTokenCandidates,
  touchWatch,
  watchAddress,
} from '../../storage/history.ts'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { createBlockscoutSource } from './createBlockscoutSource.ts'
import { createHistoryMetrics } from './createHistoryMetrics.ts'
import { createIndexer, type Indexer } from './createIndexer.ts'
import { createRpcSource } from './createRpcSource.ts'
import type { History, HistorySource, Payer } from './HistorySource.ts'

/** Time after which a request for an address counts, and is recorded, again. */
const recordEveryMs = 60 * 60_000
/** Maximum number of addresses that are cached as watched or admitted. */
const rememberedAddresses = 20_000

type Services = Pick<Context, 'chains' | 'log' | 'metrics' | 'now' | 'storage'> & {
  config: Pick<
    Context['config'],
    'history' | 'historyAddresses' | 'historyBackfillBlocks' | 'historyCallsPerSecond'
  >
  evmChains: ReadonlyMap<string, EvmChain>
}

/** Creates the sources of the histories, and the indexers of the chains that the server indexes itself. */
export function createHistory(services: Services): History {
  const { chains, config, evmChains, log, now, storage } = services
  const { db } = storage
  const metrics = createHistoryMetrics(services.metrics.registry)
  const settings = {
    backfillBlocks: config.historyBackfillBlocks,
    maxAddresses: config.historyAddresses,
    callsPerSecond: config.historyCallsPerSecond,
  }
  const indexers = new Map<string, Indexer>()
  const sources = new Map<string, HistorySource>()
  const safeFetch = createSafeFetch()
  for (const [id, source] of Object.entries(config.history)) {
    const chain = chains.byId.get(id)
    const data = evmChains.get(id)?.data
    if (!chain || !data) continue
    if (source !== 'rpc') {
      const options = { chain: id, url: source, safeFetch, metrics, now }
      sources.set(id, createBlockscoutSource(options))
      continue
    }
    indexers.set(id, createIndexer({ chain, data, db, log, metrics, now, settings }))
    sources.set(id, createRpcSource({ db, chain: id }))
  }
  const buckets = {
    address: createTokenBuckets({
      perSecond: limits.historyAddressHourly / 3_600,
      burst: limits.historyAddressBurst,
      now,
    }),
    project: createTokenBuckets({
      perSecond: limits.historyProjectHourly / 3_600,
      burst: limits.historyProjectBurst,
      now,
    }),
  }
  const recorded = new LRUCache<string, true>({
    max: rememberedAddresses,
    ttl: recordEveryMs,
    ttlResolution: 0,
    perf: { now },
  })
  const tryWatch: History['watch'] = async (chain, account, payer) =>
    watch(chain, account, payer).catch((error: unknown) => {
      log.warn({ err: error }, 'an account cannot be watched')
      return 'failed'
    })
  return {
    sources,
    watch: tryWatch,
    async admit(chain, account, payer) {
      if (indexers.has(chain)) return tryWatch(chain, account, payer)
      const key = `${chain}:${keyOf(account)}`
      if (recorded.has(key)) return 'watched'
      if (isLimited(payer)) return 'limited'
      recorded.set(key, true)
      return 'watched'
    },
    async listTokens(chain, account) {
      if (!indexers.has(chain)) return []
      const listed = new Set(evmChains.get(chain)?.data.tokens.map((token) => keyOf(token.address)))
      const seen = await listTokenCandidates(db, chain, account).catch((error: unknown) => {
        log.warn({ err: error }, 'the tokens of an account cannot be read')
        return []
      })
      return seen.filter((token) => !listed.has(token)).map((token) => getAddress(token))
    },
    async listNfts(chain, account) {
      if (!indexers.has(chain)) return []
      const seen = await listNftCandidates(db, chain, account).catch((error: unknown) => {
        log.warn({ err: error }, 'the NFTs of an account cannot be read')
        return []
      })
      return seen.map(({ contract, tokenId, ...token }) => ({
        ...token,
        contract: contract as Address,
        tokenId: BigInt(tokenId),
      }))
    },
    start: () => indexers.forEach((indexer) => indexer.start()),
    stop: async () => {
      await Promise.all([...indexers.values()].map((indexer) => indexer.stop()))
    },
  }

  /** Takes a token for a new account. */
  function isLimited({ address, project }: Payer): boolean {
    return buckets.address.take(address) > 0 || buckets.project.take(project) > 0
  }

  async function watch(chain: string, account: Address, payer: Payer) {
    const indexer = indexers.get(chain)
    const address = keyOf(account)
    const key = `${chain}:${address}`
    if (!indexer || recorded.has(key)) return 'watched'
    if (!(await touchWatch(db, { chain, address, now: now() }))) {
      if (isLimited(payer)) return 'limited'
      const { maxAddresses } = settings
      if (!(await watchAddress(db, { chain, address, now: now(), maxWatches: maxAddresses })))
        return 'full'
      indexer.wake()
    }
    recorded.set(key, true)
    return 'watched'
  }
}
