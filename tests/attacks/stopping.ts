import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import {
  createRelayIdentity,
  makeRelayToken,
  relayUrl,
  type Answered,
  type RelayIdentity,
} from '../../packages/server/src/testing/openRelayClient.ts'
import { chainId } from './startTarget.ts'

/** An attack that tries to stop or fill a server, from one address. */
export type Attack = {
  /** Number of loops that run the attack at the same time. */
  concurrency: number
  /** @returns a function that runs the attack once, with one or more requests. It resolves with the outcome. */
  start(from: { url: string; address: string; index: number }): () => Promise<string>
}

const mib = 1024 * 1024
/** Maximum wait for a response of the relay, which delays requests by up to 10 s. */
const answerMs = 15_000
const randomTopic = () => randomBytes(32).toString('hex')
const megabyte = 'x'.repeat(mib - 1_000)

/** The attacks of docs/threats.md that keep a server busy or fill it. */
export const attacks: Record<string, Attack> = {
  /** Batches of tiny messages to a topic that fills up, each batch from a new key. */
  'full topics': {
    concurrency: 4,
    start({ url, address }) {
      let topic = randomTopic()
      let runs = 0
      return async () => {
        runs += 1
        if (runs % 40 === 0) topic = randomTopic()
        const at = topic
        const messages = Array.from({ length: 500 }, (_, index) => ({
          topic: at,
          message: `${runs} ${index}`,
          ttl: 300,
          tag: 0,
        }))
        return onSocket({ url, address }, (client) =>
          client.request('irn_batchPublish', { messages }),
        )
      }
    },
  },

  /** Messages of nearly 1 MiB, each from a new key on a new topic. */
  'fresh keys': {
    concurrency: 4,
    start({ url, address }) {
      return () =>
        onSocket({ url, address }, (client) =>
          client.request('irn_publish', {
            topic: randomTopic(),
            message: megabyte,
            ttl: 604_800,
            tag: 0,
          }),
        )
    },
  },

  /** Many publishes from one key at the same time. */
  'message storm': {
    concurrency: 4,
    start({ url, address }) {
      return () =>
        onSocket({ url, address }, async (client) => {
          const topic = randomTopic()
          const answers = Array.from({ length: 60 }, (_, index) =>
            client.request('irn_publish', { topic, message: `${index}`, ttl: 30, tag: 0 }),
          )
          return (await Promise.all(answers))[0]!
        })
    },
  },

  /** Large frames that are expensive to parse. */
  'large frames': {
    concurrency: 2,
    start({ url, address, index }) {
      let runs = index
      return async () => {
        runs += 1
        return onSocket({ url, address }, (client) =>
          client.send(largeFrames[runs % largeFrames.length]!),
        )
      }
    },
  },

  /** Batches of subscribes, fetches and receipts. */
  'large batches': {
    concurrency: 2,
    start({ url, address }) {
      const topics = () => Array.from({ length: 500 }, randomTopic)
      let runs = 0
      return async () => {
        runs += 1
        return onSocket({ url, address }, async (client) => {
          if (runs % 3 === 0) return client.request('irn_batchFetchMessages', { topics: topics() })
          if (runs % 3 === 1) return client.request('irn_batchSubscribe', { topics: topics() })
          const receipts = topics().map((topic) => ({ topic, messageId: topic }))
          return client.request('irn_batchReceive', { receipts })
        })
      }
    },
  },

  /** Sockets of one client id that subscribe to large messages and read nothing. */
  'slow readers': {
    concurrency: 2,
    start({ url, address }) {
      const topics = Array.from({ length: 4 }, randomTopic)
      let fills = 0
      return async () => {
        const identity = createRelayIdentity()
        const sockets: WebSocket[] = []
        try {
          for (let count = 0; count < 10; count += 1) {
            const client = await openClient({ url, address, identity })
            sockets.push(client.socket)
            await client.request('irn_batchSubscribe', { topics })
            client.socket.pause()
          }
          for (let count = 0; count < 4; count += 1) {
            fills += 1
            const text = `${fills}${megabyte}`
            const topic = topics[count]!
            await onSocket({ url, address }, (client) =>
              client.request('irn_publish', { topic, message: text, ttl: 300, tag: 0 }),
            )
          }
          // Requests whose responses are not read either.
          for (const socket of sockets)
            for (let id = 0; id < 20; id += 1)
              socket.send(toRequest(`f${id}`, 'irn_batchFetchMessages', { topics }))
          await wait(10_000)
          return 'held'
        } finally {
          for (const socket of sockets) socket.terminate()
        }
      }
    },
  },

  /** Connections that never complete their request. */
  'half-open': {
    concurrency: 5,
    start({ url }) {
      const { port } = new URL(url)
      return async () => {
        const sockets = Array.from({ length: 10 }, (_, index) => {
          const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
          if (index % 2 === 0) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
          return socket.resume()
        })
        await Promise.race([
          Promise.all(sockets.map((socket) => once(socket, 'close'))),
          wait(2_000),
        ])
        for (const socket of sockets) socket.destroy()
        return 'held'
      }
    },
  },

  /** Messages and bodies without their last byte. */
  'slow senders': {
    concurrency: 10,
    start({ url, address, index }) {
      const { port } = new URL(url)
      let runs = index
      return async () => {
        runs += 1
        const most = 4 * mib - 1
        if (runs % 2 === 0) {
          const head =
            `POST /rpc?${authOf(url)} HTTP/1.1\r\nHost: localhost:${port}\r\n` +
            `X-Forwarded-For: ${address}\r\nContent-Length: ${most + 1}\r\n\r\n`
          const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
          socket.resume().write(head)
          socket.write(Buffer.alloc(most, 'x'))
          await Promise.race([once(socket, 'close'), wait(5_000)])
          socket.destroy()
          return 'body held'
        }
        const { socket } = await openClient({ url, address })
        // A final text frame of 4 MiB, masked with zeros.
        const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0])
        const stream = (socket as unknown as { _socket: Socket })._socket
        stream.write(header)
        stream.write(Buffer.alloc(most, 'x'))
        await Promise.race([once(socket, 'close'), wait(5_000)])
        socket.terminate()
        return 'message held'
      }
    },
  },

  /** Attestations of maximum size, requests for pages of the verify service, and invalid tickets. */
  attestations: {
    concurrency: 2,
    start({ url, address }) {
      const attestation = 'a'.repeat(4_096)
      let runs = 0
      return async () => {
        runs += 1
        const id = randomTopic()
        if (runs % 3 === 0)
          return onSocket({ url, address }, (client) =>
            client.request('irn_batchPublish', {
              messages: Array.from({ length: 60 }, (_, index) => ({
                topic: id,
                message: `${index}`,
                ttl: 300,
                tag: 0,
                attestation,
              })),
            }),
          )
        if (runs % 3 === 1)
          return http({ url, address, path: `/v3/attestation?projectId=default&id=${id}&origin=x` })
        const body = JSON.stringify({ ticket: 'e30.e30.e30', origin: 'https://x.example' })
        return http({ url, address, path: '/v3/attestation?projectId=default', body })
      }
    },
  },

  /** Signed registrations of watches, 20 at a time from a new key. */
  watches: {
    concurrency: 2,
    start({ url, address }) {
      return () =>
        onSocket({ url, address }, async (client) => {
          const answers = Array.from({ length: 20 }, (_, index) =>
            client.request('irn_watchRegister', {
              registerAuth: makeRelayToken(client.identity, toRelayUrl(url), {
                act: 'irn_watch_register',
                typ: 'subscriber',
                whu: `https://watch.example/${index}`,
                tag: Array.from({ length: 100 }, (_, tag) => 1_000 + tag),
                sts: ['queued'],
              }),
            }),
          )
          return (await Promise.all(answers))[0]!
        })
    },
  },

  /** Usage events whose texts nearly match the patterns that are searched for. */
  analytics: {
    concurrency: 2,
    start({ url, address }) {
      let runs = 0
      return async () => {
        runs += 1
        const near = nearMisses[runs % nearMisses.length]!
        const events = Array.from({ length: 7 }, (_, index) => ({
          eventId: `${runs} ${index}`,
          url: 'https://page.example/',
          timestamp: Date.now(),
          props: { type: 'track', event: 'MODAL_OPEN', a: near, b: near, c: near },
        }))
        return http({ url, address, path: '/batch', body: JSON.stringify(events) })
      }
    },
  },

  /** Bodies that are too large, expensive calls, and batches of them. */
  rpc: {
    concurrency: 3,
    start({ url, address, index }) {
      let runs = index
      return async () => {
        runs += 1
        const body = rpcBodies[runs % rpcBodies.length]!
        return http({ url, address, path: `/v1?chainId=${chainId}&projectId=default`, body })
      }
    },
  },

  /** Queries of the wallet directory with the longest lists. */
  getWallets: {
    concurrency: 2,
    start({ url, address }) {
      const ids = Array.from({ length: 900 }, randomTopic).join()
      const chains = Array.from({ length: 900 }, (_, index) => `eip155:${index + 1}`).join()
      let runs = 0
      return async () => {
        runs += 1
        const list = runs % 2 === 0 ? `include=${ids}` : `exclude=${ids}&chains=${chains}`
        const path = `/getWallets?projectId=default&entries=100&${list}&search=${runs}`
        return http({ url, address, path })
      }
    },
  },

  /** Reads of the metrics without the token. */
  metrics: {
    concurrency: 2,
    start:
      ({ url, address }) =>
      () =>
        http({ url, address, path: '/metrics' }),
  },

  /** Connections with a forged token. */
  'forged tokens': {
    concurrency: 2,
    start({ url, address }) {
      return async () => {
        const query = { auth: `${makeRelayToken(createRelayIdentity(), toRelayUrl(url))}x` }
        const socket = new WebSocket(relayUrl(toRelayUrl(url), { query }), {
          headers: { 'x-forwarded-for': address },
        })
        const [code] = (await Promise.race([
          once(
            socket.on('error', () => {}),
            'close',
          ),
          wait(answerMs, ['timeout']),
        ])) as [unknown]
        socket.terminate()
        return String(code)
      }
    },
  },
}

const largeFrames = [
  '['.repeat(2 * mib) + ']'.repeat(2 * mib - 1),
  `{"id":1,"jsonrpc":"2.0","method":"irn_publish","params":${'{"a":'.repeat(600_000)}1${'}'.repeat(600_000)}}`,
  `{"id":1,"jsonrpc":"2.0","method":"irn_batchPublish","params":{"messages":[${Array(mib).fill('{}').join()}]}}`,
  `[${Array(500)
    .fill(
      `{"id":1,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${'\\u0061'.repeat(1_300)}"}}`,
    )
    .join()}]`,
]

const nearMisses = [
  'a@'.repeat(1_000),
  'a.'.repeat(1_000),
  'eyJ'.repeat(660),
  '%40a%'.repeat(400),
  `${'1'.repeat(31)} `.repeat(60),
]

const rpcCall = (method: string, params: unknown[]) => ({ id: 1, jsonrpc: '2.0', method, params })

const rpcBodies = [
  'x'.repeat(mib + 1),
  'x'.repeat(mib - 1),
  JSON.stringify(
    Array(100).fill(rpcCall('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])),
  ),
  JSON.stringify(
    rpcCall('eth_call', [
      { to: `0x${'1'.repeat(40)}`, data: `0x${'00'.repeat(400_000)}` },
      'latest',
      {},
    ]),
  ),
  JSON.stringify(
    rpcCall('eth_getProof', [`0x${'1'.repeat(40)}`, Array(20_000).fill('0x1'), 'latest']),
  ),
  '['.repeat(500_000) + ']'.repeat(500_000),
]

function toRelayUrl(url: string) {
  return url.replace(/^http/, 'ws')
}

function authOf(url: string) {
  return relayUrl(toRelayUrl(url)).split('?')[1]!
}

function toRequest(id: string, method: string, params: unknown) {
  return JSON.stringify({ id, jsonrpc: '2.0', method, params })
}

type From = { url: string; address: string; identity?: RelayIdentity }

/** Opens a socket, by default with a new key. */
async function openClient({ url, address, identity = createRelayIdentity() }: From) {
  const socket = new WebSocket(relayUrl(toRelayUrl(url), { identity }), {
    headers: { 'x-forwarded-for': address },
    perMessageDeflate: false,
  })
  const answers = new Map<unknown, (answer: Answered) => void>()
  let fail: (error: Error) => void
  const failed = new Promise<never>((_, reject) => (fail = reject))
  failed.catch(() => {})
  let lastId = 0
  socket.on('error', (error) => fail(error))
  socket.on('close', (code) => fail(new Error(`closed ${code}`)))
  socket.on('message', (data) => {
    for (const answer of [JSON.parse((data as Buffer).toString()) as Answered].flat())
      (answers.get(answer.id) ?? answers.get(undefined))?.(answer)
  })
  await Promise.race([once(socket, 'open'), failed, tooLate()])
  const wrap = (id: unknown, text: string): Promise<Answered> => {
    const answer = new Promise<Answered>((resolve) => answers.set(id, resolve))
    socket.send(text)
    return Promise.race([answer, failed, tooLate()])
  }
  return {
    socket,
    identity,
    request(method: string, params: unknown) {
      const id = `${(lastId += 1)}`
      return wrap(id, toRequest(id, method, params))
    },
    /** Sends a frame and waits for the next response, with any id. */
    send: (text: string) => wrap(undefined, text),
  }
}

/** Sends requests on a separate socket. @returns the outcome. */
async function onSocket(
  from: From,
  send: (client: Awaited<ReturnType<typeof openClient>>) => Promise<Answered>,
): Promise<string> {
  const client = await openClient(from)
  try {
    const { error } = await send(client)
    return error?.data ?? 'ok'
  } finally {
    client.socket.terminate()
  }
}

async function tooLate(): Promise<never> {
  await wait(answerMs, undefined, { ref: false })
  throw new Error('no answer')
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 })

/** Sends an HTTP request. @returns its status. */
function http(options: { url: string; address: string; path: string; body?: string }) {
  const { url, address, path, body } = options
  return new Promise<string>((resolve, reject) => {
    const sent = httpRequest(
      `${url}${path}`,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        timeout: answerMs,
        headers: { 'x-forwarded-for': address },
      },
      (response) => {
        response.resume().on('error', reject)
        response.on('end', () => resolve(String(response.statusCode)))
      },
    )
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer')))
    sent.end(body)
  })
}
