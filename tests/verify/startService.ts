import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, type Config } from '@gatefold/server'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import {
  defaultProjectId,
  findProject,
  saveProject,
} from '../../packages/server/src/storage/projects.ts'
import { addScamDomains } from '../../packages/server/src/storage/verify.ts'

/** Starts a real verify service with a project `harbor` that owns harbor.example. */
export async function startService(config: Partial<Config> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-verify-'))
  const storage = await openStorage({ dataDir })
  const server = await startServer({
    port: 0,
    roles: ['verify'],
    logLevel: 'silent',
    rpcUrls: {},
    dataDir,
    ...config,
  })
  const known = (await findProject(storage.db, defaultProjectId))!
  const harbor = { id: 'harbor', domains: ['harbor.example'] }
  await saveProject(storage.db, { ...known, ...harbor }, Date.now())
  return {
    /** Base URL, without a path. */
    url: server.url,
    verifyUrl: `${server.url}/v3`,
    addScamDomains: (domains: string[]) => addScamDomains(storage.db, domains, Date.now()),
    async stop() {
      await server.stop()
      await storage.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
