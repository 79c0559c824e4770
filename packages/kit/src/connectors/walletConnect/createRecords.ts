import type { WalletApp } from '../../core/connection/Connector.ts'
import type { SessionState } from '../../core/connection/Session.ts'
import { requestLink } from '../../core/platform/appLink.ts'
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
  /** The wallet's app, with the key and format of the official clients. */
  setApp(app: WalletApp | undefined): void
  /** The link that opens the wallet's app for a request; undefined if no app was opened to connect. */
  requestLink(request: { id: number; topic: string }): SessionState['requestLink']
}

const appKey = 'WALLETCONNECT_DEEPLINK_CHOICE'

export function createRecords(location: RecordLocation): Records {
  const { storage } = location
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
    setApp: (app) => write(appKey, app),
    requestLink(request) {
      const { href } = (readJson(storage, appKey) ?? {}) as { href?: unknown }
      const link = typeof href === 'string' ? requestLink(href, request) : undefined
      return link ? { href: link, newTab: link.startsWith('http') } : undefined
    },
  }
}
