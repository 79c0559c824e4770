import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'
import { useRelays } from '../testing/useRelays.ts'

const { addCleanup, database, start } = useRelays()

test('responses are the same for used and unused topics', async () => {
  const relay = await start()
  const [used, unused] = [randomTopic(), randomTopic()]
  const [app, scanner] = [await relay.connect(), await relay.connect()]
  await app.call('irn_subscribe', { topic: used })
  await scanner.publish(used, 'x')
  const probe = async (topic: string) => {
    const answers = [
      await scanner.request('irn_fetchMessages', { topic }, 1),
      await scanner.request('irn_unsubscribe', { topic, id: 'x' }, 2),
      await scanner.request('irn_batchReceive', { receipts: [{ topic, messageId: 'x' }] }, 3),
      await scanner.request('irn_publish', { topic, message: 'y', ttl: 300, tag: 0 }, 4),
    ]
    return JSON.stringify(answers)
  }
  expect(await probe(used)).toBe(await probe(unused))
})

test('no log line contains a topic, a message, a token or a client id', async () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const { databaseUrl, dataDir } = await database('postgres')
  const url = new URL(databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  addCleanup(() => proxy.stop())
  url.port = String(proxy.port)
  const relay = await start({ databaseUrl: url.href, dataDir }, { log })
  const topic = randomTopic()
  const [app, wallet] = [await relay.connect(), await relay.connect()]
  await wallet.call('irn_subscribe', { topic })
  await app.publish(topic, 'a secret message')
  await app.request('irn_publish', { topic, message: 7 })
  proxy.cut()
  const late = app.publish(topic, 'a later secret')
  await expect.poll(() => lines.join('')).toContain('the message store is unavailable')
  proxy.mend()
  await late
  const all = lines.join('')
  for (const secret of [topic.slice(0, 16), 'secret', wallet.clientId.slice(0, 24), 'eyJ'])
    expect(all).not.toContain(secret)
})
