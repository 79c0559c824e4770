import type { PendingRequest } from '@gatefold/sign'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import { addressesOf, fromCaip2 } from './namespaces.ts'
import { type Phone, toReason } from './Phone.ts'
import type { Answer } from './phoneMemory.ts'
import { originOf, toApp } from './toApp.ts'

/**
 * Lets the demo wallet answer a request of a session, on the request's chain. An answer that was given
 * before and did not reach the relay goes out again, without asking.
 *
 * @throws when the relay does not take the answer; it is kept.
 */
export async function answerRequest(
  phone: Phone,
  { id, topic, params, verifyContext }: PendingRequest,
  signal: AbortSignal,
): Promise<void> {
  const { sign, wallet, memory, faults } = phone
  const session = sign.sessions().find((one) => one.topic === topic)
  if (!session) return
  const chainId = fromCaip2(params.chainId)
  const app = toApp(session.peer.metadata, verifyContext)

  const ask = async (): Promise<Answer> => {
    const accounts = chainId === undefined ? [] : addressesOf(session.namespaces, chainId)
    const site = { origin: originOf(app), chainId: chainId ?? 0, accounts, app, signal }
    try {
      return { result: (await wallet.serve(site, params.request)) ?? null }
    } catch (error) {
      signal.throwIfAborted()
      return {
        error: toReason(error, { code: errorCodes.userRejected, message: 'User rejected.' }),
      }
    }
  }

  let answer = memory.answer(id)
  if (!answer) {
    try {
      answer = await ask()
    } catch {
      // Taken back: whoever asked does not wait any more.
      return
    }
    memory.keepAnswer(id, answer)
  }
  const first = sign.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } })
  if (faults.answerTwice) {
    const error = { code: errorCodes.internal, message: 'The wallet answers once more.' }
    // The client may know already that the request is over: then once has to do.
    sign.respond({ topic, response: { id, jsonrpc: '2.0', error } }).catch(() => undefined)
  }
  await first
  memory.dropAnswer(id)
}
