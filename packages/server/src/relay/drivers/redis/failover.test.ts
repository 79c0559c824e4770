import { askRedis, startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterEach, describe, expect, test } from 'vitest'
import { randomTopic } from '../../../testing/startRelay.ts'
import { startTcpProxy } from '../../../testing/startTcpProxy.ts'
import { newMessage, readAll, textsOf, useRedisDrivers } from '../../../testing/useRedisDrivers.ts'

const topic = randomTopic()
const configuration = `appendonly yes
appendfsync always
save ""
repl-diskless-sync-delay 0
`

const message = (text: string) => newMessage(topic, text)

describe.skipIf(await whyNoRedis())('the relay driver on a Redis with a replica', () => {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })

  async function start(...args: Parameters<typeof startRedis>) {
    const server = await startRedis(...args)
    cleanups.push(() => server.stop())
    return server
  }

  async function startPair() {
    const primary = await start({ configuration })
    const replica = await start({
      configuration: `${configuration}replicaof 127.0.0.1 ${primary.port}\n`,
    })
    await isConnected(primary)
    return { primary, replica }
  }

  async function isConnected(primary: Redis) {
    await expect.poll(() => askRedis(primary.port, 'INFO replication')).toContain('state=online')
  }

  const drivers = useRedisDrivers()
  const open = (url: string, replicas: number) => drivers.open([url], { replicas })

  /** Starts a proxy that forwards to the primary, as the address of a managed Redis does. */
  async function startEndpoint(primary: Redis) {
    const target = { host: '127.0.0.1', port: primary.port }
    const proxy = await startTcpProxy(target)
    cleanups.push(() => proxy.stop())
    return { url: `redis://127.0.0.1:${proxy.port}`, target }
  }

  const waiting = async (driver: Awaited<ReturnType<typeof open>>) =>
    textsOf(await driver.read(readAll('wallet', [topic])))

  test.each([
    { replicas: 1, who: 'a replica', lost: 'nothing', early: 'waits', found: ['before', 'during'] },
    {
      replicas: 0,
      who: 'no replica',
      lost: 'messages that the replica did not receive',
      early: 'stored',
      found: ['before'],
    },
  ])('if $who confirms each commit, a failover loses $lost', async ({ replicas, early, found }) => {
    const { primary, replica } = await startPair()
    const { url, target } = await startEndpoint(primary)
    const driver = await open(url, replicas)
    await driver.publish([message('before')])
    const sizeOf = ({ port }: Redis) => askRedis(port, 'DBSIZE')
    await expect.poll(() => sizeOf(replica)).toBe(await sizeOf(primary))
    // The replica does not receive the next message.
    replica.pause()
    await askRedis(primary.port, 'CLIENT KILL TYPE replica')
    const during = driver.publish([message('during')])
    let stored: string | undefined
    const ended = during.then(([outcome]) => (stored = outcome))
    await expect.poll(() => stored ?? (driver.error() && 'waits')).toBe(early)

    await primary.kill()
    target.port = replica.port
    replica.resume()
    await askRedis(replica.port, 'REPLICAOF NO ONE')
    await primary.restart()
    await askRedis(primary.port, `REPLICAOF 127.0.0.1 ${replica.port}`)
    expect(await ended).toBe('stored')
    await expect.poll(() => driver.error()).toBeUndefined()
    expect(await waiting(driver)).toEqual(found)
  })

  test('reconnects if its server becomes a replica', async () => {
    const { primary, replica } = await startPair()
    const { url, target } = await startEndpoint(primary)
    const driver = await open(url, 1)
    await driver.publish([message('before')])
    await askRedis(replica.port, 'REPLICAOF NO ONE')
    target.port = replica.port
    await askRedis(primary.port, `REPLICAOF 127.0.0.1 ${replica.port}`)
    expect(await driver.publish([message('after')])).toEqual(['stored'])
    expect(await waiting(driver)).toEqual(['before', 'after'])
  })

  test('uses the new primary that a Sentinel names', async () => {
    const { primary, replica } = await startPair()
    const sentinel = await start({
      isSentinel: true,
      configuration: `sentinel monitor relay 127.0.0.1 ${primary.port} 1
sentinel down-after-milliseconds relay 1000
sentinel failover-timeout relay 5000
`,
    })
    await expect
      .poll(() => askRedis(sentinel.port, 'SENTINEL MASTERS'))
      .toMatch(/num-slaves\r\n\$1\r\n1/)
    const driver = await open(`${sentinel.url}/relay`, 1)
    await driver.publish([message('before')])
    await primary.kill()
    const during = driver.publish([message('during')])
    await expect.poll(() => askRedis(replica.port, 'ROLE')).toContain('master')
    await primary.restart()
    await askRedis(primary.port, `REPLICAOF 127.0.0.1 ${replica.port}`)
    // 'known' if the old primary had sent the message to the replica before the kill.
    expect(['stored', 'known']).toContain((await during)[0])
    expect(await waiting(driver)).toEqual(['before', 'during'])
  })
})
