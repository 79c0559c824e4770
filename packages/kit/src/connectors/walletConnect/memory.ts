import { requestLink } from '../../core/platform/appLink.ts'
import { openLink } from '../../core/platform/openLink.ts'
import { offerKey, readJson, readOffer, readSession, sessionKey } from './readSession.ts'
import type { Offered, Place, Remembered } from './readSession.ts'

/** What a session leaves in storage beside the client's own records. A fault of it stops nothing. */
export type Memory = {
  read(): Remembered | undefined
  write(remembered: Remembered | undefined): void
  offered(): Offered | undefined
  offer(offered: Offered | undefined): void
  /** The wallet's app, under the key and in the shape that the official clients use. */
  rememberApp(app: { name: string; href: string } | undefined): void
  /** What brings the wallet's app to the front for a request, if one was opened to connect. */
  appOpener(request: { id: number; topic: string }): (() => void) | undefined
}

const appKey = 'WALLETCONNECT_DEEPLINK_CHOICE'

export function createMemory(place: Place): Memory {
  const { storage } = place
  const write = (key: string, value: object | undefined) => {
    try {
      if (value) storage.setItem(key, JSON.stringify(value))
      else storage.removeItem(key)
    } catch {
      // Full or forbidden: the session then lasts as long as the page.
    }
  }
  return {
    read: () => readSession(place),
    write: (remembered) => write(sessionKey(place), remembered),
    offered: () => readOffer(place),
    offer: (offered) => write(offerKey(place), offered),
    rememberApp: (app) => write(appKey, app),
    appOpener(request) {
      const { href } = (readJson(storage, appKey) ?? {}) as { href?: unknown }
      const link = typeof href === 'string' ? requestLink(href, request) : undefined
      return link ? () => openLink(link, { newTab: link.startsWith('http') }) : undefined
    },
  }
}
