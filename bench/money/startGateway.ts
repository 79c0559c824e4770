import { fileURLToPath } from 'node:url'
import { chainData } from '@gatefold/chain'
import { freePort, startProgram, type Program } from '@gatefold/tests/program'

const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))

/**
 * Starts a server for the local chain in a separate process, in memory and
 * without rate limits.
 *
 * @param options.roles - comma-separated.
 */
export async function startGateway(options: { roles: string; rpcUrl: string }): Promise<Program> {
  const port = await freePort()
  return startProgram({
    name: 'gateway',
    args: [bin, 'serve', '--roles', options.roles],
    port,
    env: {
      GATEFOLD_PORT: `${port}`,
      GATEFOLD_DATA_DIR: ':memory:',
      GATEFOLD_LOG_LEVEL: 'fatal',
      GATEFOLD_RPC_URLS: JSON.stringify({ 'eip155:31337': [options.rpcUrl] }),
      GATEFOLD_CHAINS: JSON.stringify(chainData),
      GATEFOLD_IP_RATE: '1000000',
      GATEFOLD_IP_BURST: '10000000',
      GATEFOLD_PROJECT_RATE: '1000000',
      GATEFOLD_PROJECT_BURST: '10000000',
    },
    health: '/health',
  })
}
