import * as v from 'valibot'
import { hashKey } from '../../crypto/keys.ts'
import type { Context } from '../Context.ts'
import type { StoredRecord } from './schemas.ts'

const Key = v.object({ publicKey: v.string() })
const Proposal = v.object({ proposer: Key, expiryTimestamp: v.number() })
const Authenticate = v.object({ requester: Key, expiryTimestamp: v.number() })
const Request = v.object({ request: v.object({ expiryTimestamp: v.number() }) })

/** Methods that only a session's controller sends. */
const controllerMethods = new Set([
  'wc_sessionSettle',
  'wc_sessionUpdate',
  'wc_sessionExtend',
  'wc_sessionEvent',
])

type Ownership = Pick<StoredRecord, 'sent' | 'deadline' | 'responseTopic'>

/**
 * Sets `sent` on an official client's records, which do not show who sent a request. This client accepts
 * responses only to requests that it sent. Runs before the first message is handled.
 *
 * @see docs/contracts/relay.md#client-storage
 */
export async function importOfficialRecords(
  context: Pick<Context, 'stores' | 'keys'>,
): Promise<void> {
  const { records } = context.stores
  for (const record of records.values()) {
    if (record.sent !== undefined || record.response) continue
    const ownership = await findOwner(context, record)
    if (ownership) await records.set({ ...record, ...ownership })
  }
}

/** @returns undefined if the record does not show who sent it */
async function findOwner(
  { stores, keys }: Pick<Context, 'stores' | 'keys'>,
  { topic, request: { method, params } }: StoredRecord,
): Promise<Ownership | undefined> {
  if (method === 'wc_sessionPropose' && v.is(Proposal, params))
    return { sent: keys.has(params.proposer.publicKey), deadline: params.expiryTimestamp }
  if (method === 'wc_sessionAuthenticate' && v.is(Authenticate, params)) {
    const { publicKey } = params.requester
    const deadline = params.expiryTimestamp
    if (!keys.has(publicKey)) return { sent: false, deadline }
    return { sent: true, deadline, responseTopic: await hashKey(publicKey) }
  }
  const session = stores.sessions.get(topic)
  if (!session) return undefined
  const isController = session.controller === session.self.publicKey
  if (method === 'wc_sessionRequest' && v.is(Request, params))
    return { sent: !isController, deadline: params.request.expiryTimestamp }
  return controllerMethods.has(method) ? { sent: isController } : undefined
}
