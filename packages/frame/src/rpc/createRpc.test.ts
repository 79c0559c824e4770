import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRpc, NodeError } from './createRpc.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // The fake clock does not change the original.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new DOMException('Timed out.', 'TimeoutError')), ms)
    return stop.signal
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A server that never responds. */
const hang: typeof fetch = (_url, init) =>
  new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error))
  })

describe('a request to a node', () => {
  it('error: that does not respond fails after ten seconds', async () => {
    const rpc = createRpc({ origin: 'https://frame.example', projectId: 'default', fetch: hang })
    let error: unknown
    rpc('eip155:1', 'eth_gasPrice', []).catch((caught: unknown) => (error = caught))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(error).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(error).toBeInstanceOf(NodeError)
    expect(error).toMatchObject({ shortMessage: 'The network did not respond.', isAnswer: false })
  })
})
