import { createHash } from 'node:crypto'
import { readConfig, type Config } from '../config.ts'
import { createContext, type ContextOptions } from '../context.ts'
import { createApp } from '../http/createApp.ts'
import { rolePaths, startRoles } from '../roles.ts'

export type TestVerify = Awaited<ReturnType<typeof createTestVerify>>

/** The hash of a message, 64 hex digits. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The headers with which a browser requests the frame's page. */
const framing = {
  'sec-fetch-dest': 'iframe',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'cross-site',
}

/** The headers with which a browser sends a request of the service's page. */
export const ownPage = {
  origin: 'http://localhost',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

/** The real verify service without a port: requests go straight into the app. */
export async function createTestVerify(config: Partial<Config> = {}, options: ContextOptions = {}) {
  const context = await createContext(
    {
      ...readConfig(),
      logLevel: 'silent',
      dataDir: ':memory:',
      rpcUrls: {},
      ...config,
    },
    options,
  )
  const running = await startRoles(['verify'], context)
  const app = createApp(context, { running, paths: rolePaths })
  const send = async (path: string, init: RequestInit & { address?: string } = {}) => {
    const { address = '192.0.2.1', ...rest } = init
    return app.request(path, rest, { incoming: { socket: { remoteAddress: address } } })
  }

  /** The ticket in the page of an attestation. */
  async function ticketFor(options: AttestOptions) {
    const { projectId = 'default', claimed, id = hashOf('sealed'), referrer } = options
    const query = new URLSearchParams({ projectId, id, origin: claimed })
    query.set('decryptedId', options.decryptedId ?? hashOf('open'))
    const page = await send(`/v3/attestation?${query}`, {
      headers: {
        ...(options.framing ?? framing),
        ...(referrer !== undefined && { referer: referrer }),
      },
    })
    return /name="ticket" content="([\w.-]+)"/.exec(await page.text())![1]!
  }

  return {
    context,
    send,
    ticketFor,
    /** Makes the page's two requests: fetches a ticket, and returns it with the framing origin. */
    async attest(options: AttestOptions) {
      const ticket = await ticketFor(options)
      const { projectId = 'default', framedBy } = options
      const answer = await send(`/v3/attestation?projectId=${projectId}`, {
        method: 'POST',
        headers: options.posting ?? ownPage,
        body: JSON.stringify({ ticket, origin: framedBy }),
      })
      return ((await answer.json()) as { attestation: string }).attestation
    },
    async stop() {
      await context.storage.close()
    },
  }
}

type AttestOptions = {
  projectId?: string
  /** The origin in the query. */
  claimed: string
  /** The framing origin that the browser reports, if any. */
  framedBy?: string
  referrer?: string
  /** Headers of the page's request; a browser's by default. */
  framing?: Record<string, string>
  /** Headers of the page's own request; a browser's by default. */
  posting?: Record<string, string>
  id?: string
  decryptedId?: string
}
