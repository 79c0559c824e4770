import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort, startProgram } from '../program.ts'
import { requested, fewPairings, granted, next, openClient, signing } from './clients.ts'
import type { OnFinished } from './relay.ts'

/** Starts the relay as operators run it, on SQLite. */
async function startRelay(onFinished: OnFinished) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-compat-'))
  const port = await freePort()
  const relay = await startProgram({
    name: 'relay',
    args: [fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url)), 'serve'],
    port,
    env: {
      GATEFOLD_PORT: String(port),
      GATEFOLD_ROLES: 'relay',
      GATEFOLD_DATA_DIR: dataDir,
      GATEFOLD_LOG_LEVEL: 'error',
    },
    health: '/health',
  })
  onFinished(async () => {
    await relay.kill()
    await rm(dataDir, { recursive: true, force: true })
  })
  return relay
}

test('no step is lost if the relay is killed between every two steps', async ({
  onTestFinished,
}) => {
  const relay = await startRelay(onTestFinished)
  const relayUrl = `ws://localhost:${relay.port}`
  const sides = await Promise.all(
    fewPairings.map(async (versions) => {
      const app = await openClient(versions.app, { relayUrl, name: 'App' })
      const wallet = await openClient(versions.wallet, { relayUrl, name: 'Wallet' })
      onTestFinished(() => app.close())
      onTestFinished(() => wallet.close())
      return { app, wallet }
    }),
  )
  const all = <result>(step: (side: (typeof sides)[number], index: number) => Promise<result>) =>
    Promise.all(sides.map(step))
  /**
   * Kills and restarts the relay, and waits until all clients are connected again. An official
   * client that sends a message before that may open hundreds of sockets.
   */
  async function crash() {
    const clients = sides.flatMap(({ app, wallet }) => [app, wallet])
    const connected = clients.filter((client) => client.isConnected())
    await relay.kill()
    await expect.poll(() => connected.filter((client) => client.isConnected())).toEqual([])
    await relay.restart()
    await expect.poll(() => connected.filter((client) => !client.isConnected())).toEqual([])
  }

  const proposals = sides.map(({ wallet }) => next(wallet, 'session_proposal'))
  const connecting = await all(({ app }) => app.connect({ optionalNamespaces: requested }))
  await expect.poll(() => sides.filter(({ app }) => !app.isConnected())).toEqual([])
  await crash()
  await all(({ wallet }, index) => wallet.pair({ uri: connecting[index]!.uri! }))
  const ids = await Promise.all(proposals.map(async (proposal) => (await proposal).id))
  await crash()
  const approved = await all(({ wallet }, index) =>
    wallet.approve({ id: ids[index]!, namespaces: granted }),
  )
  const sessions = await all((_, index) => connecting[index]!.approval())
  expect(sessions.map(({ topic }) => topic)).toEqual(approved.map(({ topic }) => topic))
  await crash()
  const requests = sides.map(({ wallet }) => next(wallet, 'session_request'))
  const answers = sides.map(({ app }, index) =>
    app.request({ topic: sessions[index]!.topic, chainId: 'eip155:1', request: signing }),
  )
  const received = await Promise.all(requests)
  await crash()
  await all(({ wallet }, index) => {
    const { id, topic } = received[index]!
    return wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0x' } })
  })
  expect(await Promise.all(answers)).toEqual(sides.map(() => '0x'))
  await crash()
  const deleted = sides.map(({ wallet }) => next(wallet, 'session_delete'))
  await all(({ app }, index) => app.disconnect({ topic: sessions[index]!.topic }))
  await Promise.all(deleted)
  expect(sides.map(({ app }) => app.sessions())).toEqual(sides.map(() => []))
})
