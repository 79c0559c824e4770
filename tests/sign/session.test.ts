import { afterEach, beforeEach, expect, test } from 'vitest'
import { account, granted, next, settle, startClients } from './clients.ts'

let relay: Awaited<ReturnType<typeof startClients>>
beforeEach(async () => {
  relay = await startClients()
})
afterEach(() => relay.end())

test('connect, request, respond, disconnect', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic, session } = await settle(app, wallet)
  expect(session).toMatchObject({ topic, acknowledged: true, namespaces: granted })
  const asked = next<{ id: number }>((listener) => wallet.on('session_request', listener))
  const answer = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: ['0x68', account] },
  })
  const { id } = await asked
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
  expect(await answer).toBe('0xsigned')

  const ended = next((listener) => wallet.on('session_delete', listener))
  await app.disconnect({ topic })
  expect(await ended).toMatchObject({ topic, reason: { code: 6000 } })
  expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
})
