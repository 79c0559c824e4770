import { LRUCache } from 'lru-cache'
import { isProjectId, type Project } from './projects.ts'
import { StorageUnavailableError } from './StorageUnavailableError.ts'

type Entry = { project: Project | undefined; readAt: number }

export type ProjectCache = {
  /** Synchronous if a fresh entry is cached. Returns `undefined` if the project does not exist. */
  get(id: string): Project | undefined | Promise<Project | undefined>
}

/**
 * Caches projects for a few seconds. While the database is down, stale entries are used, so that pages
 * keep working.
 *
 * @param options.freshMs - age at which an entry becomes stale.
 */
export function createProjectCache(options: {
  find: (id: string) => Promise<Project | undefined>
  now: () => number
  freshMs?: number
}): ProjectCache {
  const { find, now, freshMs = 2_000 } = options
  const entries = new LRUCache<string, Entry>({ max: 10_000 })
  const reading = new Map<string, Promise<Project | undefined>>()

  async function read(id: string) {
    try {
      const project = await find(id)
      entries.set(id, { project, readAt: now() })
      return project
    } catch (error) {
      const known = entries.get(id)
      if (!known?.project) throw new StorageUnavailableError(error)
      // The entry counts as fresh again, because a query can take long to fail while the database is down.
      entries.set(id, { ...known, readAt: now() })
      return known.project
    } finally {
      reading.delete(id)
    }
  }

  return {
    get(id) {
      // Requests can contain any text. PostgreSQL refuses some of it, which would look like an outage.
      if (!isProjectId(id)) return undefined
      const known = entries.get(id)
      if (known && now() - known.readAt < freshMs) return known.project
      let running = reading.get(id)
      if (!running) {
        running = read(id)
        reading.set(id, running)
      }
      return running
    },
  }
}
