import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { MailboxStats } from './drivers/RelayDriver.ts'

export type RelayMetrics = ReturnType<typeof createRelayMetrics>

/** The relay's metrics on `/metrics`. */
export function createRelayMetrics(
  registry: Registry,
  read: { connections: () => number; mailboxes: () => Promise<MailboxStats | undefined> },
) {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `gatefold_relay_${name}_total`, help, labelNames, registers })
  // One query fills three gauges. They keep their values while the store is unavailable.
  let reading: Promise<MailboxStats | undefined> | undefined
  const readOnce = () => (reading ??= read.mailboxes().finally(() => (reading = undefined)))
  const gauge = (name: string, help: string, value: () => Promise<number | undefined> | number) =>
    new Gauge({
      name: `gatefold_relay_${name}`,
      help,
      registers,
      async collect() {
        const now = await value()
        if (now !== undefined) this.set(now)
      },
    })
  gauge('connections', 'Open sockets.', read.connections)
  gauge('topics', 'Topics with waiting messages.', async () => (await readOnce())?.topics)
  gauge('mailbox_messages', 'Waiting messages.', async () => (await readOnce())?.messages)
  gauge('mailbox_bytes', 'Bytes of waiting messages.', async () => (await readOnce())?.bytes)
  return {
    published: counter(
      'published',
      'Published messages by outcome. A request over budget counts as one message.',
      ['outcome'],
    ),
    pushed: counter('pushed', 'Messages pushed to clients.'),
    redelivered: counter('redelivered', 'Pushes repeated because they were not acknowledged.'),
    acknowledged: counter('acknowledged', 'Pushes acknowledged by clients.'),
    dropped: counter('dropped', 'Pushes skipped or sockets closed, by reason.', ['reason']),
    refused: counter('refused', 'Connections and HTTP requests refused, by reason.', ['reason']),
    delayed: counter(
      'delayed',
      'Frames and HTTP bodies delayed or refused by the rate limits of the client.',
    ),
    answers: counter('answers', 'Responses by method and outcome.', ['method', 'outcome']),
    deliverySeconds: new Histogram({
      name: 'gatefold_relay_delivery_seconds',
      help: 'Time from accepting a message to pushing it to a connected subscriber.',
      buckets: [0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
  }
}
