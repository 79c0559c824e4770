import { describe, test } from 'vitest'
import { address, granted, next, pairings, rejectionOf, settle, sign, signing } from './clients.ts'
import { useRelay } from './relay.ts'

const relay = useRelay()

describe.each(pairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('§3.19.3 a request and its result arrive unchanged', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = next(wallet, 'session_request')
    const sent = next(app, 'session_request_sent')
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    const request = await received
    expect(request).toMatchObject({
      topic,
      params: { chainId: 'eip155:1', request: { ...signing } },
      verifyContext: { verified: { validation: 'UNKNOWN' } },
    })
    expect(request.params.request.expiryTimestamp).toBeGreaterThan(Date.now() / 1_000 + 200)
    expect(wallet.pendingRequests()).toMatchObject([{ id: request.id, topic }])
    expect(await sent).toMatchObject({ topic, id: request.id, chainId: 'eip155:1' })
    const result = { hash: '0x', parts: [1, null, 'ğ🦊'], deep: { yes: true } }
    await wallet.respond({ topic, response: { id: request.id, jsonrpc: '2.0', result } })
    expect(await answer).toEqual(result)
    await expect.poll(() => wallet.pendingRequests()).toEqual([])
  })

  test('empty results arrive unchanged', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    for (const result of [null, false, '', 0, []])
      expect(await sign(app, wallet, topic, result)).toEqual(result)
  })

  test('an error response keeps its code, message and data', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = next(wallet, 'session_request')
    const failed = rejectionOf(app.request({ topic, chainId: 'eip155:1', request: signing }))
    const { id } = await received
    const error = { code: 4001, message: 'User rejected the request.', data: '0xdead' }
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', error } })
    expect(await failed).toMatchObject(error)
  })

  test('the expiry of a request must be within the limits', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const request = { topic, chainId: 'eip155:1', request: signing }
    for (const expiry of [299, 604_801])
      await expect(app.request({ ...request, expiry })).rejects.toThrow(
        /Missing or invalid. request\(\) expiry: \d+. Expiry must be a number \(in seconds\) between 300 and 604800/,
      )
    const received = next(wallet, 'session_request')
    const answer = app.request({ ...request, expiry: 3_600 })
    const { id, params } = await received
    expect(params.request.expiryTimestamp).toBeGreaterThan(Date.now() / 1_000 + 3_500)
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xin time' } })
    expect(await answer).toBe('0xin time')
  })

  test('requests and results that are published with transaction metadata arrive unchanged', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const namespaces = {
      eip155: {
        ...granted.eip155,
        methods: ['eth_sendTransaction', 'wallet_sendCalls', 'eth_signTypedData_v4'],
      },
      solana: {
        chains: [solana],
        accounts: [`${solana}:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv`],
        methods: ['solana_signAllTransactions', 'solana_signAndSendTransaction'],
        events: [],
      },
    }
    const { topic } = await settle(app, wallet, { optionalNamespaces: namespaces }, { namespaces })
    const hash = `0x${'ab'.repeat(32)}`
    const to = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    const call = { to, data: `0xa9059cbb${'00'.repeat(64)}` }
    const signature =
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQkjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
    for (const [chainId, method, params, result] of [
      ['eip155:1', 'eth_sendTransaction', [{ from: address, ...call }], hash],
      ['eip155:1', 'wallet_sendCalls', [{ chainId: '0x1', calls: [call] }], { id: hash }],
      ['eip155:1', 'wallet_sendCalls', [{ chainId: '0x1', calls: [call] }], hash],
      ['eip155:1', 'eth_signTypedData_v4', [address, '{"domain":{}}'], '0x'],
      [solana, 'solana_signAndSendTransaction', { transaction: 'AQ==' }, { signature }],
      [solana, 'solana_signAllTransactions', { transactions: ['AQ=='] }, { transactions: ['?'] }],
    ] as const) {
      const received = next(wallet, 'session_request')
      const answer = app.request({ topic, chainId, request: { method, params } })
      const { id, params: requestParams } = await received
      expect(requestParams).toMatchObject({ chainId, request: { method, params } })
      await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result } })
      expect(await answer).toEqual(result)
    }
  })

  test('§5.12.3 requests and events that were not approved are rejected', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    await expect(
      app.request({ topic, chainId: 'eip155:1', request: { method: 'eth_sign', params: [] } }),
    ).rejects.toThrow(/Missing or invalid. request\(\) method: eth_sign/)
    await expect(app.request({ topic, chainId: 'eip155:137', request: signing })).rejects.toThrow(
      /Missing or invalid. request\(\) chainId: eip155:137/,
    )
    await expect(
      wallet.emit({ topic, chainId: 'eip155:1', event: { name: 'other', data: 1 } }),
    ).rejects.toThrow(/Missing or invalid. emit\(\) event: \{"name":"other","data":1\}/)
  })

  test('§4.18.5/1 requests reach the wallet one at a time', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received: { id: number; text: unknown }[] = []
    wallet.on('session_request', ({ id, params }) =>
      received.push({ id, text: (params.request.params as unknown[])[0] }),
    )
    const answers = []
    for (const text of ['0x01', '0x02', '0x03']) {
      const sent = next(app, 'session_request_sent')
      const request = { method: 'personal_sign', params: [text, address] }
      answers.push(app.request<string>({ topic, chainId: 'eip155:1', request }))
      await sent
    }
    await expect.poll(() => wallet.pendingRequests().length).toBe(3)
    expect(received).toHaveLength(1)
    for (const [index, answer] of answers.entries()) {
      await expect.poll(() => received.length).toBe(index + 1)
      const { id, text } = received[index]!
      const response = { id, jsonrpc: '2.0' as const, result: text }
      await wallet.respond({ topic, response })
      expect(await answer).toBe(text)
    }
    expect(received.map(({ text }) => text)).toEqual(['0x01', '0x02', '0x03'])
  })

  test('§4.18.5/2 requests reach the wallet all at once if it has disabled the queue', async ({
    expect,
    onTestFinished,
  }) => {
    const app = await relay.open(versions.app, onTestFinished)
    const wallet = await relay.open(versions.wallet, onTestFinished, {
      disableRequestQueue: true,
      ours: { disableRequestQueue: true },
    })
    const { topic } = await settle(app, wallet)
    const received: number[] = []
    wallet.on('session_request', ({ id }) => received.push(id))
    const request = { topic, chainId: 'eip155:1', request: signing }
    const answers: Promise<unknown>[] = []
    for (const at of [1, 2, 3]) {
      answers.push(app.request(request))
      if (at < 3) await nextMillisecond()
    }
    await expect.poll(() => received.length).toBe(3)
    for (const id of received.toReversed())
      await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: id } })
    expect(new Set(await Promise.all(answers))).toEqual(new Set(received))
  })
})

/** Waits for another millisecond: official clients have 1,000 ids for each, and ignore a request with a known one. */
async function nextMillisecond(): Promise<void> {
  const start = Date.now()
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(pairings.filter(({ wallet }) => wallet !== 'gatefold'))(
  'app $app, wallet $wallet',
  { concurrent: true },
  (versions) => {
    test('an official wallet rejects a request for a removed method', async ({
      expect,
      onTestFinished,
    }) => {
      const { app, wallet } = await relay.openBoth(versions, onTestFinished)
      const { topic } = await settle(app, wallet)
      const namespaces = { eip155: { ...granted.eip155, methods: ['eth_sendTransaction'] } }
      // The app still has the old methods, as if it was offline until the wallet's update expired.
      await wallet.official?.session.update(topic, { namespaces })
      await rejectionOf(app.request({ topic, chainId: 'eip155:1', request: signing }))
      expect(wallet.pendingRequests()).toEqual([])
    })
  },
)
