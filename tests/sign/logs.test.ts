import { expect, test } from 'vitest'
import { account, settle, useClients } from './clients.ts'

const relay = useClients()

test('§9.10.3/2 the log lists a client’s actions and messages, without whole topics or message contents', async () => {
  const wallet = relay.create('wallet')
  const app = relay.create('app')
  const { topic } = await settle(app, wallet)
  const secret = '0x736563726574'
  wallet.on('session_request', ({ id }) => {
    void wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
  })
  const params = [secret, account.split(':')[2]]
  await app.request({ topic, chainId: 'eip155:1', request: { method: 'personal_sign', params } })
  await expect(app.ping({ topic: 'a'.repeat(64) })).rejects.toThrow('No matching key')

  const [ofApp, ofWallet] = [await app.logs(), await wallet.logs()]
  const entries = (text: string) =>
    text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries(ofApp)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'relay connected' }),
      expect.objectContaining({ what: 'connect' }),
      expect.objectContaining({ what: 'wc_sessionSettle', topic: topic.slice(0, 8) }),
      expect.objectContaining({ what: 'request', topic: topic.slice(0, 8) }),
      expect.objectContaining({ what: 'ping failed', reason: 'sign.no_matching_key' }),
    ]),
  )
  expect(entries(ofWallet).map(({ what }) => what)).toEqual(
    expect.arrayContaining(['pair', 'wc_sessionPropose', 'approve', 'wc_sessionRequest']),
  )
  for (const text of [ofApp, ofWallet])
    for (const kept of [topic, secret, '0xsigned', 'symKey', account])
      expect(text).not.toContain(kept)
})
