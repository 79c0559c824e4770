import { fileURLToPath } from 'node:url'
import { chainData } from '@gatefold/chain'
import { freePort, startProgram, type Program } from '../program.ts'

/** CAIP-2 id of the local chain. */
export const indexedChain = 'eip155:31337'

const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))

/**
 * Starts a server that indexes the local chain, in a separate process; on
 * SQLite if there is no `databaseUrl`.
 */
export async function startIndexer(options: {
  dataDir: string
  rpcUrl: string
  databaseUrl?: string | undefined
}): Promise<Program> {
  const { dataDir, databaseUrl, rpcUrl } = options
  const port = await freePort()
  return startProgram({
    name: 'indexer',
    args: [bin, 'serve', '--roles', 'money'],
    port,
    env: {
      GATEFOLD_PORT: `${port}`,
      GATEFOLD_DATA_DIR: dataDir,
      GATEFOLD_LOG_LEVEL: 'fatal',
      GATEFOLD_RPC_URLS: JSON.stringify({ [indexedChain]: [rpcUrl] }),
      GATEFOLD_CHAINS: JSON.stringify(chainData),
      GATEFOLD_IP_BURST: '10000000',
      GATEFOLD_PROJECT_BURST: '10000000',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    health: '/health',
  })
}
