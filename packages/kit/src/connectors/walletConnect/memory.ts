import { requestLink } from '../../core/appLink.ts'
import { openLink } from '../../core/openLink.ts'
import { prefixedStorage } from '../../core/storage.ts'
import type { KeyValueStorage } from '../../core/storage.ts'

/** That there is a session, so that nobody has to load the client to find out that there is none. */
export type Remembered = {
  topic: string
  /** What was asked for, by CAIP-2 id. @see spec §4.6.5 */
  chains: readonly string[]
}

/** What a session leaves in storage beside the client's own records. A fault of it stops nothing. */
export type Memory = {
  read(): Remembered | undefined
  write(remembered: Remembered | undefined): void
  /** The wallet's app, under the key and in the shape that the official clients use. */
  rememberApp(app: { name: string; href: string } | undefined): void
  /** Brings the wallet's app to the front, if one was opened to connect. */
  openApp(request: { id: number; topic: string }): void
}

const appKey = 'WALLETCONNECT_DEEPLINK_CHOICE'
const sessionKey = 'walletConnect'

export function createMemory(parameters: { storage: KeyValueStorage; storageKey: string }): Memory {
  const own = prefixedStorage(parameters.storage, `${parameters.storageKey}.`)
  const read = (storage: KeyValueStorage, key: string): unknown => {
    try {
      return JSON.parse(storage.getItem(key) ?? 'null')
    } catch {
      // Damaged or forbidden: as good as nothing.
      return undefined
    }
  }
  const write = (storage: KeyValueStorage, key: string, value: object | undefined) => {
    try {
      if (value) storage.setItem(key, JSON.stringify(value))
      else storage.removeItem(key)
    } catch {
      // Full or forbidden: the session then lasts as long as the page.
    }
  }
  return {
    read() {
      const { topic, chains } = (read(own, sessionKey) ?? {}) as Partial<Remembered>
      return typeof topic === 'string' && Array.isArray(chains) ? { topic, chains } : undefined
    },
    write: (remembered) => write(own, sessionKey, remembered),
    rememberApp: (app) => write(parameters.storage, appKey, app),
    openApp(request) {
      const { href } = (read(parameters.storage, appKey) ?? {}) as { href?: unknown }
      const link = typeof href === 'string' ? requestLink(href, request) : undefined
      if (link) openLink(link, { newTab: link.startsWith('http') })
    },
  }
}
