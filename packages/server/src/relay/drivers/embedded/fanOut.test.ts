import { afterEach, describe, expect, test } from 'vitest'
import { openStorage, type Storage } from '../../../storage/openStorage.ts'
import { createDatabase, engines, type TestDatabase } from '../../../testing/databases.ts'
import { randomTopic } from '../../../testing/startRelay.ts'
import type { RelayDriver, StoredMessage } from '../RelayDriver.ts'
import { createEmbeddedDriver } from './createEmbeddedDriver.ts'

describe.each(engines)('%s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  let driver: RelayDriver

  afterEach(async () => {
    await driver.close()
    await storage.close()
    await database.remove()
  })

  async function open() {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
    const pushed: StoredMessage[] = []
    driver = await createEmbeddedDriver({
      storage,
      now: Date.now,
      onMessages: (messages) => void pushed.push(...messages),
      onGap: () => {},
    })
    return { pushed, topic: randomTopic() }
  }

  const message = (topic: string, text: string, id = text) => ({
    topic,
    id: Buffer.from(id).toString('hex').padEnd(64, '0'),
    message: text,
    attestation: undefined,
    tag: 1108,
    publisher: 'publisher',
    ttlSeconds: 300,
  })
  const textsOf = (messages: readonly StoredMessage[]) => messages.map(({ message }) => message)
  const rows = (topic: string) =>
    storage.db.selectFrom('relay_messages').select('message').where('topic', '=', topic).execute()

  test('§7.14.2 pushes live messages in the order in which they were published', async () => {
    const { pushed, topic } = await open()
    const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`)
    // Ten in one write, ten in writes that share commits, ten in separate commits.
    await Promise.all([
      driver.publish(texts.slice(0, 10).map((text) => message(topic, text))),
      ...texts.slice(10, 20).map((text) => driver.publish([message(topic, text)])),
    ])
    for (const text of texts.slice(20)) await driver.publish([message(topic, text)])
    expect(textsOf(pushed)).toEqual(texts)
    const { messages } = await driver.read({
      clientId: 'reader',
      topics: [topic],
      afterSeq: 0,
      limit: 100,
    })
    expect(textsOf(messages)).toEqual(texts)
  })

  test('stores and pushes equal messages once, from one commit or from several', async () => {
    const { pushed, topic } = await open()
    const twice = message(topic, 'twice')
    await Promise.all([driver.publish([twice, twice]), driver.publish([twice])])
    await driver.publish([twice])
    await driver.publish([message(topic, 'once')])
    expect(await driver.publish([twice])).toEqual(['known'])
    expect(textsOf(pushed)).toEqual(['twice', 'once'])
    expect(await rows(topic)).toHaveLength(2)
    const { messages } = await driver.read({
      clientId: 'reader',
      topics: [topic],
      afterSeq: 0,
      limit: 100,
    })
    expect(textsOf(messages)).toEqual(['twice', 'once'])
  })
})
