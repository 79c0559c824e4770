import { readConfig, type Config } from '../config.ts'
import { createContext, type ContextOptions } from '../context.ts'
import { createApp } from '../http/createApp.ts'
import { closeRoles, selectListener, startRoles } from '../roles.ts'
import { createTestDevice } from './createTestDevice.ts'

export type TestFrame = Awaited<ReturnType<typeof createTestFrame>>

/** Origin of the frame in these tests. */
export const frameUrl = 'http://localhost:3002'

/**
 * Creates the real server of the frame without a port.
 *
 * @example
 * const frame = await createTestFrame()
 * const device = await frame.device()
 * const { session, user } = await device.login('ada@example.com')
 * await device.post('/api/wallet/share', {}, session)
 */
export async function createTestFrame(config: Partial<Config> = {}, options: ContextOptions = {}) {
  const context = await createContext(
    { ...readConfig(), logLevel: 'silent', dataDir: ':memory:', rpcUrls: {}, ...config },
    options,
  )
  const running = await startRoles(['frame'], context)
  const app = createApp(context, selectListener(running, 'frame'))

  const send = async (path: string, init: RequestInit & { address?: string } = {}) => {
    const { address = '192.0.2.1', ...rest } = init
    return app.request(frameUrl + path, rest, { incoming: { socket: { remoteAddress: address } } })
  }
  const mails = () => context.mailer.sink!.list()

  /** The last mail to an address. */
  function lastMail(email: string) {
    const mail = mails().find(({ to }) => to === email)
    if (!mail) throw new Error(`there is no mail to ${email}`)
    return mail
  }

  /** The code in the last mail to an address that has one. */
  function lastCode(email: string): string {
    for (const { to, text } of mails()) {
      const code = to === email ? /^\d{6}$/m.exec(text)?.[0] : undefined
      if (code !== undefined) return code
    }
    throw new Error(`no code for ${email}`)
  }

  return {
    context,
    send,
    mails,
    lastMail,
    lastCode,
    device: async () =>
      createTestDevice({ url: frameUrl, send, now: context.now, readCode: lastCode }),
    /** Starts the periodic jobs, each of which runs once at the start. */
    startJobs: () => running.get('frame')!.onListening?.(frameUrl),
    async stop() {
      await closeRoles(running, 0)
      await context.mailer.close(0)
      await context.storage.close()
    },
  }
}

/** Time that tests move. */
export function createClock(start = Date.now()) {
  let time = start
  return {
    now: () => time,
    advance(seconds: number) {
      time += seconds * 1000
    },
  }
}
