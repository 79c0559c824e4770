import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createDatabase, engines } from '../../../testing/databases.ts'
import { openRelayClient } from '../../../testing/openRelayClient.ts'
import { randomTopic } from '../../../testing/startRelay.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

type Database = { databaseUrl: string | undefined; dataDir: string }

/** Runs `gatefold serve` in a separate process. */
async function serve({ databaseUrl = '', dataDir }: Database) {
  const child = fork(join(import.meta.dirname, '../../../bin.ts'), ['serve', '--roles', 'relay'], {
    execArgv: ['--conditions=@gatefold/source'],
    env: {
      DATABASE_URL: databaseUrl,
      GATEFOLD_DATA_DIR: dataDir,
      GATEFOLD_PORT: '0',
      GATEFOLD_LOG_LEVEL: 'silent',
    },
  })
  cleanups.push(() => kill(child))
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return { url: url.replace('http', 'ws'), kill: () => kill(child) }
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test.each(engines)(
  'a relay that is killed under load loses nothing it has acknowledged (%s)',
  async (engine) => {
    const database = await createDatabase(engine)
    cleanups.push(() => database.remove())
    const before = await serve(database.config)
    const answered: string[][] = []
    const topics = Array.from({ length: 5 }, randomTopic)
    for (const [index, topic] of topics.entries()) {
      const app = await openRelayClient(before.url)
      const own: string[] = []
      answered.push(own)
      for (let count = 0; count < 60; count += 1) {
        const text = `${index} ${count}`
        void app.publish(topic, text).then(() => own.push(text))
      }
    }
    await expect.poll(() => answered.flat().length, { interval: 1 }).toBeGreaterThan(50)
    await before.kill()

    const after = await serve(database.config)
    const wallet = await openRelayClient(after.url)
    await wallet.call('irn_batchSubscribe', { topics })
    const expected = answered.map((texts) => [...texts])
    for (const [index, texts] of expected.entries()) {
      const received = () => wallet.messages.filter((text) => text.startsWith(`${index} `))
      // Every publish that was answered is stored, in order. Others may be stored too.
      await expect.poll(() => received().slice(0, texts.length)).toEqual(texts)
    }
  },
)
