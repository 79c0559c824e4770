import { LRUCache } from 'lru-cache'
import { isProjectId, type Project } from './projects.ts'
import { StorageUnavailableError } from './StorageUnavailableError.ts'

type Entry = { project: Project; readAt: number }

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
  /** When ids without a project were read. Kept apart, because clients can send any number of them. */
  const missing = new LRUCache<string, number>({ max: 10_000 })
  const reading = new Map<string, Promise<Project | undefined>>()

  async function read(id: string) {
    try {
      const project = await find(id)
      if (project) entries.set(id, { project, readAt: now() })
      else {
        entries.delete(id)
        missing.set(id, now())
      }
      return project
    } catch (error) {
      const known = entries.get(id)
      if (!known) throw new StorageUnavailableError(error)
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
      const readAt = known?.readAt ?? missing.get(id)
      if (readAt !== undefined && now() - readAt < freshMs) return known?.project
      let running = reading.get(id)
      if (!running) {
        running = read(id)
        reading.set(id, running)
      }
      return running
    },
  }
}
