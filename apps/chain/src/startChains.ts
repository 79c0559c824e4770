import { ChainPortTakenError } from './errors.ts'
import { type Chain, type ChainId, startChain } from './startChain.ts'

/** Number of ports to try after the preferred one. */
const attempts = 20

/**
 * Starts both local chains, each on its default port or the next free one.
 *
 * @throws the errors of `startChain`; the other chain is then stopped
 */
export async function startChains(
  options: startChains.Options = {},
): Promise<startChains.ReturnType> {
  const { port = 8545, secondPort = 8546, ...rest } = options
  const results = await Promise.allSettled([
    startOnFreePort(31337, port, rest),
    startOnFreePort(31338, secondPort, rest),
  ])
  const [local, second] = results
  if (local.status === 'fulfilled' && second.status === 'fulfilled') {
    return {
      local: local.value,
      second: second.value,
      async stop() {
        await Promise.all([local.value.stop(), second.value.stop()])
      },
    }
  }
  for (const result of results) if (result.status === 'fulfilled') await result.value.stop()
  throw local.status === 'rejected' ? local.reason : (second as PromiseRejectedResult).reason
}

export declare namespace startChains {
  type Options = {
    /** Port of chain 31337; with 0, any free one. @default 8545 */
    port?: number
    /** Port of chain 31338; with 0, any free one. @default 8546 */
    secondPort?: number
    blockTimeSeconds?: number
    signal?: AbortSignal
  }

  type ReturnType = { local: Chain; second: Chain; stop(): Promise<void> }
}

async function startOnFreePort(
  chainId: ChainId,
  wanted: number,
  rest: Pick<startChain.Options, 'blockTimeSeconds' | 'signal'>,
): Promise<Chain> {
  for (let port = wanted; ; port++) {
    try {
      return await startChain({ ...rest, chainId, port })
    } catch (error) {
      if (!(error instanceof ChainPortTakenError) || port >= wanted + attempts) throw error
    }
  }
}
