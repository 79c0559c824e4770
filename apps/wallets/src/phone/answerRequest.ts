import type { PendingRequest } from '@gatefold/sign'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import { addressesOf, fromCaip2 } from './namespaces.ts'
import { type Phone, toReason } from './Phone.ts'
import type { Answer } from './persistPhoneState.ts'
import { originOf, toRequestingApp } from './toRequestingApp.ts'

/**
 * Handles a session request through the demo wallet, on the request's chain. If an earlier attempt has
 * computed the response but not delivered it, sends that response without a prompt.
 *
 * @throws if the relay does not accept the response, which stays persisted.
 */
export async function answerRequest(
  phone: Phone,
  request: PendingRequest,
  signal: AbortSignal,
): Promise<void> {
  const { sign, wallet, persisted, faults } = phone
  const { id, topic, params, verifyContext } = request
  const session = sign.sessions().find((one) => one.topic === topic)
  if (!session) return
  const chainId = fromCaip2(params.chainId)
  const app = toRequestingApp(session.peer.metadata, verifyContext)

  const serve = async (): Promise<Answer> => {
    const accounts = chainId === undefined ? [] : addressesOf(session.namespaces, chainId)
    const site = {
      origin: originOf(app),
      chainId: chainId ?? 0,
      accounts,
      app,
      signal,
      switchChain: (next: number) => phone.switchChain(topic, next),
    }
    try {
      return { result: (await wallet.serve(site, params.request)) ?? null }
    } catch (error) {
      signal.throwIfAborted()
      return {
        error: toReason(error, { code: errorCodes.userRejected, message: 'User rejected.' }),
      }
    }
  }

  let answer = persisted.answer(request)
  if (!answer) {
    try {
      answer = await serve()
    } catch {
      // Canceled: the app no longer waits for a response.
      return
    }
    persisted.saveAnswer(request, answer)
  }
  const first = sign.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } })
  if (faults.answerTwice) {
    const error = { code: errorCodes.internal, message: 'Second answer to the same request.' }
    // Rejects if the client has already closed the request.
    sign.respond({ topic, response: { id, jsonrpc: '2.0', error } }).catch(() => undefined)
  }
  await first
  persisted.deleteAnswer(request)
}
