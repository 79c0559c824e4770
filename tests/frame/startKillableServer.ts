import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort, startProgram } from '../program.ts'
import type { KillOrder } from './killAtCommit.ts'

export type KillableServer = Awaited<ReturnType<typeof startKillableServer>>

/** Starts a server with the frame that can be killed at a commit, and whose clock can be set ahead. */
export async function startKillableServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-killed-'))
  const [port, framePort] = [await freePort(), await freePort()]
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const program = await startProgram({
    name: 'server',
    args: [file('../../packages/server/src/bin.ts'), 'serve', '--roles', 'frame'],
    port,
    env: {
      GATEFOLD_PORT: `${port}`,
      GATEFOLD_FRAME_PORT: `${framePort}`,
      GATEFOLD_DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=${pathToFileURL(file('killAtCommit.ts')).href}`,
    },
    health: '/health',
  })
  let ahead = 0

  /** Gives the server an order, and waits until it has received it. */
  async function order(what: KillOrder) {
    const done = once(program.child, 'message')
    program.child.send(what)
    await done
  }

  return {
    url: program.url,
    frameUrl: `http://localhost:${framePort}`,
    /** The process, which `restart` replaces. */
    get child() {
      return program.child
    },
    kill: () => program.kill(),
    order,
    /** The server's time, as Unix time in ms. */
    now: () => Date.now() + ahead,
    /** Sets the server's clock ahead by this many ms. */
    async pass(ms: number) {
      ahead += ms
      await order({ type: 'ahead', ms: ahead })
    },
    /** Starts the server again, at the same time, once it has exited. */
    async restart() {
      const { child } = program
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await program.restart()
      await order({ type: 'ahead', ms: ahead })
    },
    async stop() {
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
