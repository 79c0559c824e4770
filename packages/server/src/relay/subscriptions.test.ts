import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeStores } from '../testing/describeStores.ts'
import { createRelayIdentity } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'

describeStores('subscriptions and sessions', ({ connect, settle }) => {
  test('after four identical parallel batch subscriptions, each message is pushed once, and in order on each topic', async () => {
    const [app, wallet] = [await connect(), await connect()]
    const topics = Array.from({ length: 3 }, randomTopic)
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`)
    for (const [index, text] of texts.entries()) await app.publish(topics[index % 3]!, text)
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => wallet.call('irn_batchSubscribe', { topics })),
    )
    expect(ids).toEqual(Array(4).fill(ids[0]))
    await expect.poll(() => wallet.messages.length).toBeGreaterThanOrEqual(texts.length)
    await settle(wallet)
    const inOrder = (messages: readonly string[], remainder: number) =>
      messages.filter((text) => Number(text.slice('message '.length)) % 3 === remainder)
    expect(wallet.messages).toHaveLength(texts.length)
    for (const index of topics.keys())
      expect(inOrder(wallet.messages, index)).toEqual(inOrder(texts, index))
  })

  test('delivers nothing on a topic after an unsubscribe from it, on this socket or on a new one', async () => {
    const [topic, other, kept] = [randomTopic(), randomTopic(), randomTopic()]
    const identity = createRelayIdentity()
    const [app, wallet] = [await connect(), await connect({ identity })]
    await wallet.call('irn_batchSubscribe', { topics: [topic, other, kept] })
    // The relay ignores the parameter `id`.
    expect(await wallet.call('irn_unsubscribe', { topic, id: { wrong: 7 } })).toBe(true)
    const subscriptions = [{ topic: other, id: null }]
    expect(await wallet.call('irn_batchUnsubscribe', { subscriptions })).toBe(true)
    await app.publish(topic, 'one')
    await app.publish(other, 'two')
    await settle(wallet)
    expect(wallet.messages).toEqual([])
    await wallet.drop()
    await app.publish(kept, 'three')
    const again = await connect({ identity })
    await expect.poll(() => again.messages.length).toBeGreaterThan(0)
    expect(again.messages).toEqual(['three'])
  })

  test('delivers after an unsubscribe that is immediately followed by a subscribe', async () => {
    const [app, wallet] = [await connect(), await connect()]
    const topics = Array.from({ length: 5 }, randomTopic)
    for (const topic of topics) {
      await wallet.call('irn_subscribe', { topic })
      const unsubscribing = wallet.call('irn_unsubscribe', { topic, id: '' })
      await wallet.call('irn_subscribe', { topic })
      await unsubscribing
    }
    // No mailbox is being read after this, so the messages below are pushed only to existing subscriptions.
    await settle(wallet)
    for (const topic of topics) await app.publish(topic, topic)
    await expect.poll(() => wallet.messages).toEqual(topics)
  })

  test('wc_proposeSession and wc_approveSession publish messages and subscribe the sender', async () => {
    const [pairingTopic, sessionTopic] = [randomTopic(), randomTopic()]
    const [app, wallet] = [await connect(), await connect()]
    expect(
      await app.call('wc_proposeSession', {
        pairingTopic,
        sessionProposal: 'proposal',
        ttl: null,
        attestation: 'jwt',
      }),
    ).toBe(true)
    await wallet.call('irn_subscribe', { topic: pairingTopic })
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    expect(wallet.pushes[0]!.params.data).toMatchObject({
      message: 'proposal',
      tag: 1100,
      attestation: 'jwt',
    })
    expect(
      await wallet.call('wc_approveSession', {
        pairingTopic,
        sessionTopic,
        sessionProposalResponse: 'response',
        sessionSettlementRequest: 'settlement',
        ttl: 300,
      }),
    ).toBe(true)
    await expect.poll(() => app.messages).toEqual(['response'])
    // The settlement waits in the mailbox until the app subscribes to its topic.
    await app.call('irn_subscribe', { topic: sessionTopic })
    await expect.poll(() => app.messages).toEqual(['response', 'settlement'])
    expect(app.pushes.map(({ params }) => params.data.tag)).toEqual([1101, 1102])
    await app.publish(sessionTopic, 'settled')
    await expect.poll(() => wallet.messages).toEqual(['proposal', 'settled'])
  })

  test('methods with older prefixes, blocking variants and wc_createTopic also subscribe', async () => {
    const topics = Array.from({ length: 5 }, randomTopic)
    const [app, wallet] = [await connect(), await connect()]
    const id = (topic: string) =>
      createHash('sha256')
        .update(topic + wallet.clientId)
        .digest('hex')
    const resultOf = async (method: string, params: unknown) =>
      (await wallet.request(method, params)).result
    expect(await resultOf('iridium_subscribe', { topic: topics[0] })).toBe(id(topics[0]!))
    expect(await resultOf('waku_batchSubscribe', { topics: [topics[1]] })).toEqual([id(topics[1]!)])
    expect(await resultOf('irn_subscribeBlocking', { topic: topics[2] })).toBe(id(topics[2]!))
    // An invalid topic does not affect the others.
    const mixed = ['not a topic', topics[3], 7]
    const error = { code: -32_600, message: expect.any(String), data: 'InvalidTopic' }
    expect(await resultOf('irn_batchSubscribeBlocking', { topics: mixed })).toEqual([
      {
        error: { ...error, message: 'Invalid payload: topics.0 must be 64 lower-case hex digits' },
      },
      { id: id(topics[3]!) },
      { error },
    ])
    expect(await resultOf('irn_batchSubscribeBlocking', { topics: [7] })).toEqual([{ error }])
    expect(await resultOf('wc_createTopic', { topic: topics[4] })).toBe(true)
    for (const topic of topics)
      await app.request('waku_publish', { topic, message: topic, ttl: 300, tag: 0 })
    await expect.poll(() => wallet.messages.toSorted()).toEqual(topics.toSorted())
  })

  test('a frame may contain a batch of requests and acknowledgements', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect({ acknowledges: false })]
    await wallet.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    wallet.socket.send(
      `[{"id":${wallet.pushes[0]!.id},"jsonrpc":"2.0","result":true},` +
        `{"id":9007199254740993,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}},` +
        '{"id":"x","jsonrpc":"2.0","method":"irn_nothing"}]',
    )
    await expect.poll(() => wallet.texts.length).toBe(3)
    expect(wallet.texts[2]).toMatch(
      /^\[{"id":9007199254740993,"jsonrpc":"2.0","result":"[0-9a-f]{64}"},{"id":"x",/,
    )
    expect(JSON.parse(wallet.texts[2]!)).toMatchObject([
      {},
      { error: { code: -32_600, data: 'InvalidMethod' } },
    ])
    await settle(wallet)
    expect(wallet.messages).toEqual(['one'])
  })
})
