import { describe, test } from 'vitest'
import { createStore, next, settle, sign } from './clients.ts'
import { useRelay } from './relay.ts'

const relay = useRelay()

describe.each(['2.21.3', '2.21.8'] as const)(
  'an app with client %s in two tabs that share a client id',
  { concurrent: true },
  (version) => {
    test('each tab gets the responses to its own requests, and both tabs get the session’s deletion', async ({
      expect,
      onTestFinished,
    }) => {
      const store = createStore()
      const first = await relay.open(version, onTestFinished, { name: 'App', store })
      const wallet = await relay.open('walletkit', onTestFinished, { name: 'Wallet' })
      const { topic } = await settle(first, wallet)
      const second = await relay.open(version, onTestFinished, { name: 'App', store })
      await expect.poll(() => second.isConnected()).toBe(true)
      expect(await second.clientId()).toBe(await first.clientId())
      expect(await sign(first, wallet, topic, '0xa')).toBe('0xa')
      expect(await sign(second, wallet, topic, '0xb')).toBe('0xb')
      expect(await sign(first, wallet, topic, '0xc')).toBe('0xc')
      const deleted = [next(first, 'session_delete'), next(second, 'session_delete')]
      await wallet.disconnect({ topic })
      await Promise.all(deleted)
    })
  },
)
