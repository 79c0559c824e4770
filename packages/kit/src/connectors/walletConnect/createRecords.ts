import type { ConnectorContext, WalletApp } from '../../core/connection/Connector.ts'
import type { SessionState } from '../../core/connection/Session.ts'
import { isLinkOf, requestLink } from '../../core/platform/appLink.ts'
import {
  proposalKey,
  readJson,
  readProposalRecord,
  readSessionRecord,
  sessionKey,
} from './records.ts'
import type { ProposalRecord, RecordLocation, SessionRecord } from './records.ts'

/** The connector's stored records, in addition to those of the protocol client. Storage errors are ignored. */
export type Records = {
  session(): SessionRecord | undefined
  setSession(record: SessionRecord | undefined): void
  proposal(): ProposalRecord | undefined
  setProposal(record: ProposalRecord | undefined): void
  /** Stores the wallet's app, with the key and the format of the official clients. Undefined removes it. */
  setApp(app: WalletApp | undefined): void
  /**
   * The link that opens the wallet's app for a request; undefined if no app was opened to connect, or if
   * the stored link is not one of the wallet's in the directory.
   */
  requestLink(request: { id: number; topic: string }): Promise<SessionState['requestLink']>
}

const appKey = 'WALLETCONNECT_DEEPLINK_CHOICE'

export function createRecords(
  location: RecordLocation & Pick<ConnectorContext, 'findWallet'>,
): Records {
  const { storage } = location
  let checked: { key: string; isOwn: Promise<boolean> } | undefined
  /** The stored app, if the directory lists its link for the wallet: other scripts can change storage. */
  async function readApp() {
    const { id, href } = (readJson(storage, appKey) ?? {}) as { id?: unknown; href?: unknown }
    if (typeof id !== 'string' || typeof href !== 'string') return undefined
    const key = `${id} ${href}`
    if (checked?.key !== key) {
      const isOwn = location.findWallet(id).then(
        (wallet) => wallet?.id === id && isLinkOf(wallet, href),
        () => {
          // The next request tries again.
          if (checked?.key === key) checked = undefined
          return false
        },
      )
      checked = { key, isOwn }
    }
    return (await checked.isOwn) ? href : undefined
  }
  const write = (key: string, value: object | undefined) => {
    try {
      if (value) storage.setItem(key, JSON.stringify(value))
      else storage.removeItem(key)
    } catch {
      // The storage is full or blocked: the session lasts until the page is closed.
    }
  }
  return {
    session: () => readSessionRecord(location),
    setSession: (record) => write(sessionKey(location), record),
    proposal: () => readProposalRecord(location),
    setProposal: (record) => write(proposalKey(location), record),
    setApp(app) {
      write(appKey, app)
      // Looks up the wallet in advance, so that the first request does not wait for it.
      void readApp()
    },
    async requestLink(request) {
      const href = await readApp()
      const link = href && requestLink(href, request)
      return link ? { href: link, newTab: link.startsWith('http') } : undefined
    },
  }
}
