import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { MailboxStats } from './drivers/RelayDriver.ts'
import { createRelayMetrics } from './metrics.ts'

function create(stats: () => Promise<MailboxStats | undefined>) {
  const registry = new Registry()
  const metrics = createRelayMetrics(registry, { connections: () => 7, mailboxes: stats })
  return { registry, metrics }
}

test('all metrics have a name, a type and a description', async () => {
  const { registry } = create(async () => undefined)
  const described = (await registry.metrics()).split('\n').filter((line) => line.startsWith('# '))
  expect(`\n${described.join('\n')}\n`.replaceAll('gatefold_relay_', '')).toBe(`
# HELP connections Open sockets.
# TYPE connections gauge
# HELP topics Topics with waiting messages.
# TYPE topics gauge
# HELP mailbox_messages Waiting messages.
# TYPE mailbox_messages gauge
# HELP mailbox_bytes Bytes of waiting messages.
# TYPE mailbox_bytes gauge
# HELP published_total Published messages by outcome. A request over budget counts as one message.
# TYPE published_total counter
# HELP pushed_total Messages pushed to clients.
# TYPE pushed_total counter
# HELP redelivered_total Pushes repeated because they were not acknowledged.
# TYPE redelivered_total counter
# HELP acknowledged_total Pushes acknowledged by clients.
# TYPE acknowledged_total counter
# HELP dropped_total Pushes skipped or sockets closed, by reason.
# TYPE dropped_total counter
# HELP refused_total Connections and HTTP requests refused, by reason.
# TYPE refused_total counter
# HELP delayed_total Frames and HTTP bodies delayed or refused by the rate limits of the client.
# TYPE delayed_total counter
# HELP answers_total Responses by method and outcome.
# TYPE answers_total counter
# HELP delivery_seconds Time from accepting a message to pushing it to a connected subscriber.
# TYPE delivery_seconds histogram
`)
})

test('counters have labels, and deliveries are counted in buckets', async () => {
  const { registry, metrics } = create(async () => undefined)
  for (const name of ['dropped', 'refused'] as const) metrics[name].inc({ reason: 'because' })
  metrics.published.inc({ outcome: 'stored' })
  metrics.answers.inc({ method: 'irn_publish', outcome: 'ok' })
  metrics.deliverySeconds.observe(0.04)
  const text = await registry.metrics()
  for (const line of [
    'dropped_total{reason="because"} 1',
    'refused_total{reason="because"} 1',
    'published_total{outcome="stored"} 1',
    'answers_total{method="irn_publish",outcome="ok"} 1',
    'delivery_seconds_bucket{le="0.03"} 0',
    'delivery_seconds_bucket{le="0.05"} 1',
  ])
    expect(text).toContain(`gatefold_relay_${line}\n`)
})

test('one query fills the gauges of the mailboxes; they keep their values while the store fails', async () => {
  let queries = 0
  let stats: MailboxStats | undefined = { topics: 1, messages: 2, bytes: 3 }
  const { registry } = create(async () => {
    queries += 1
    return stats
  })
  const read = async () =>
    (await registry.metrics()).match(/^gatefold_relay_(connections|topics|mailbox_\w+) \d+$/gm)
  const filled = [
    'gatefold_relay_connections 7',
    'gatefold_relay_topics 1',
    'gatefold_relay_mailbox_messages 2',
    'gatefold_relay_mailbox_bytes 3',
  ]
  expect([await read(), queries]).toEqual([filled, 1])
  stats = undefined
  expect([await read(), queries]).toEqual([filled, 2])
  stats = { topics: 4, messages: 5, bytes: 6 }
  expect((await read())?.slice(1).join()).toMatch(/ 4,.* 5,.* 6$/)
})
