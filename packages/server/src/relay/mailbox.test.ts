import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeStores } from '../testing/describeStores.ts'
import { createRelayIdentity } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'

describeStores('the mailbox', ({ connect, metric, restart, settle }) => {
  test('keeps a message for later subscribers, even across a restart', async () => {
    const topic = randomTopic()
    const app = await connect()
    for (const text of ['one', 'two', 'three']) await app.publish(topic, text)
    await restart()
    const wallet = await connect()
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(['one', 'two', 'three'])
    // The response was sent before the messages.
    expect(wallet.texts[0]).toContain('"result"')
  })

  test('stores the same text once', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await wallet.call('irn_subscribe', { topic })
    const sent = await Promise.all([
      app.publish(topic, 'twice'),
      app.publish(topic, 'twice'),
      app.publish(topic, 'once'),
    ])
    expect(sent).toEqual([true, true, true])
    await expect.poll(() => wallet.messages).toEqual(['twice', 'once'])
    // It is not delivered again, even after all subscribers have acknowledged it.
    expect(await app.publish(topic, 'twice')).toBe(true)
    await settle(wallet)
    expect(wallet.messages).toEqual(['twice', 'once'])
    // On another topic, it is another message.
    const elsewhere = randomTopic()
    await wallet.call('irn_subscribe', { topic: elsewhere })
    await app.publish(elsewhere, 'twice')
    await expect.poll(() => wallet.messages).toEqual(['twice', 'once', 'twice'])
  })

  test('§3.19.5 adds a later attestation to a message that is not acknowledged yet', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await app.publish(topic, 'proposal')
    await app.publish(topic, 'proposal', { attestation: 'jwt' })
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    expect(wallet.pushes[0]!.params.data.attestation).toBe('jwt')
  })

  test('delivers an empty attestation, because clients look up a missing one elsewhere', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await app.publish(topic, 'waits', { attestation: '' })
    await app.publish(topic, 'comes later')
    await app.publish(topic, 'comes later', { attestation: '' })
    await app.publish(topic, 'none')
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages.length).toBe(3)
    await settle(wallet)
    await app.publish(topic, 'pushed', { attestation: '' })
    await app.publish(topic, 'pushed without')
    await expect.poll(() => wallet.messages.length).toBe(5)
    const attestations = wallet.pushes.map(({ params }) => params.data.attestation)
    expect(attestations).toEqual(['', '', undefined, '', undefined])
  })

  test('pushes all pages of a large mailbox', async () => {
    const topic = randomTopic()
    const wallet = await connect()
    // Uses five clients, because the publishes of a single client would be delayed.
    const texts = Array.from({ length: 250 }, (_, index) => `message ${index}`)
    for (let start = 0; start < 250; start += 50) {
      const app = await connect()
      const messages = texts
        .slice(start, start + 50)
        .map((message) => ({ topic, message, ttl: 300, tag: 0 }))
      await app.call('irn_batchPublish', { messages })
    }
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('deletes a message once every subscriber has acknowledged it', async () => {
    const topic = randomTopic()
    const [app, wallet, silent] = [
      await connect(),
      await connect(),
      await connect({ acknowledges: false }),
    ]
    const waiting = () => metric('gatefold_relay_mailbox_messages')
    await wallet.call('irn_subscribe', { topic })
    await silent.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => silent.messages).toEqual(['one'])
    await expect.poll(() => metric('gatefold_relay_acknowledged_total')).toBe(1)
    expect(await waiting()).toBe(1)
    silent.acknowledge(silent.pushes[0]!)
    await expect.poll(waiting).toBe(0)
    // A message that no client has received yet is not deleted.
    await app.publish(randomTopic(), 'two')
    expect(await waiting()).toBe(1)
  })

  test.each([
    { name: 'a proposal', tag: 1100 },
    { name: 'a request to sign in', tag: 1116 },
  ])(
    '$name is delivered once to each wallet that scans its code before it expires',
    async ({ tag }) => {
      const topic = randomTopic()
      const [app, first] = [createRelayIdentity(), createRelayIdentity()]
      let time = Date.now()
      await restart({}, { now: () => time })
      const page = await connect({ identity: app })
      await page.call('irn_subscribe', { topic })
      await page.publish(topic, 'invitation', { tag })
      await page.publish(topic, 'to all subscribers', { tag: 1108 })
      const wrong = await connect({ identity: first })
      await wrong.call('irn_subscribe', { topic })
      await expect.poll(() => metric('gatefold_relay_acknowledged_total')).toBe(2)
      await expect.poll(() => metric('gatefold_relay_mailbox_messages')).toBe(1)

      const fetching = await connect()
      const fetched = async () => {
        const { messages } = (await fetching.call('irn_fetchMessages', { topic })) as {
          messages: { message: string }[]
        }
        return messages.map(({ message }) => message)
      }
      expect(await fetched()).toEqual(['invitation'])
      const receipts = [{ topic, messageId: hash('sha256', 'invitation') }]
      await fetching.call('irn_batchReceive', { receipts })
      expect(await fetched()).toEqual([])

      await restart({}, { now: () => time })
      const right = await connect()
      await right.call('irn_subscribe', { topic })
      await expect.poll(() => right.messages).toEqual(['invitation'])
      const others = [await connect({ identity: app }), await connect({ identity: first })]
      for (const client of others) await client.call('irn_subscribe', { topic })
      await settle(...others, right)
      expect([...others, right].map(({ messages }) => messages)).toEqual([[], [], ['invitation']])

      time += 300_000
      const late = await connect()
      await late.call('irn_subscribe', { topic })
      await settle(late)
      expect(late.messages).toEqual([])
    },
  )

  test('attack: stores a limited number of receipts of clients that are not subscribed', async () => {
    const topic = randomTopic()
    const app = await connect()
    await app.publish(topic, 'invitation', { tag: 1100 })
    const receipts = [{ topic, messageId: hash('sha256', 'invitation') }]
    const left: number[] = []
    for (let index = 0; index < 6; index += 1) {
      const stranger = await connect()
      await stranger.call('irn_batchReceive', { receipts })
      const { messages } = (await stranger.call('irn_fetchMessages', { topic })) as {
        messages: unknown[]
      }
      left.push(messages.length)
    }
    expect(left).toEqual([0, 0, 0, 0, 0, 1])
    // The receipt of a subscriber is stored.
    const wallet = await connect()
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(['invitation'])
    await settle(wallet)
    expect(await wallet.call('irn_fetchMessages', { topic })).toMatchObject({ messages: [] })
  })

  test('keeps a message for three subscribers until the last one has acknowledged it', async () => {
    const topic = randomTopic()
    const [app, wallet, other] = [await connect(), await connect(), await connect()]
    const silent = await connect({ acknowledges: false })
    const waiting = () => metric('gatefold_relay_mailbox_messages')
    for (const client of [app, wallet]) await client.call('irn_subscribe', { topic })
    await app.publish(topic, 'for one')
    await expect.poll(() => metric('gatefold_relay_acknowledged_total')).toBe(1)
    await expect.poll(waiting).toBe(0)

    for (const client of [other, silent]) await client.call('irn_subscribe', { topic })
    await app.publish(topic, 'for three')
    await expect.poll(() => metric('gatefold_relay_acknowledged_total')).toBe(3)
    expect(await waiting()).toBe(1)
    await expect.poll(() => silent.messages).toEqual(['for three'])
    silent.acknowledge(silent.pushes[0]!)
    await expect.poll(waiting).toBe(0)
  })
})
