import { expect, test } from 'vitest'
import { randomTopic } from '../testing/startRelay.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'
import { useRelays } from '../testing/useRelays.ts'

const { addCleanup, database, start } = useRelays()

test('while the database is unavailable, publishes get no response, and none is lost', async () => {
  const { databaseUrl, dataDir } = await database('postgres')
  const url = new URL(databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  addCleanup(() => proxy.stop())
  url.port = String(proxy.port)
  const relay = await start({ databaseUrl: url.href, dataDir })
  const topic = randomTopic()
  const [app, wallet] = [await relay.connect(), await relay.connect()]
  await wallet.call('irn_subscribe', { topic })
  await app.publish(topic, 'before')
  await expect.poll(() => wallet.messages).toEqual(['before'])

  proxy.cut()
  const answers: string[] = []
  const publish = async (text: string) => {
    await app.publish(topic, text)
    answers.push(text)
  }
  const sent = [publish('one'), publish('two'), publish('one')]
  const health = async () => {
    const response = await fetch(`${relay.httpUrl}/health`)
    return [response.status, ((await response.json()) as { relay: unknown }).relay]
  }
  await expect
    .poll(health)
    .toEqual([503, { status: 'down', connections: 2, error: expect.any(String) }])
  expect(answers).toEqual([])
  expect(wallet.messages).toEqual(['before'])
  // A new client must retry later (1013), but is not refused.
  const newcomer = await relay.connect()
  expect(await newcomer.closed).toMatchObject({ code: 1013 })

  // A failed read is reported as a server error, not as an invalid request.
  const fetched = await wallet.request('irn_fetchMessages', { topic })
  expect(fetched.error).toMatchObject({ code: -32_603, data: 'StorageError' })

  proxy.mend()
  await Promise.all(sent)
  await expect.poll(() => wallet.messages).toEqual(['before', 'one', 'two'])
  await expect.poll(health).toEqual([200, { status: 'up', connections: 2 }])
})
