import { createHash } from 'node:crypto'
import { readConfig, type Config } from '../config.ts'
import { createContext, type ContextOptions } from '../context.ts'
import { createApp } from '../http/createApp.ts'
import { selectListener, startRoles } from '../roles.ts'

export type TestVerify = Awaited<ReturnType<typeof createTestVerify>>

/** The hash of a message, 64 hex digits. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Headers that a browser sends when it loads a page into a frame. */
export const framing = {
  'sec-fetch-dest': 'iframe',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'cross-site',
}

/** Headers that a browser sends with a request from the service's own page. */
export const ownPage = {
  origin: 'http://localhost',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

/** Creates the real verify service without a port: requests are passed directly to the app. */
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
  const app = createApp(context, selectListener(running, 'main'))
  const send = async (path: string, init: RequestInit & { address?: string } = {}) => {
    const { address = '192.0.2.1', ...rest } = init
    return app.request(path, rest, { incoming: { socket: { remoteAddress: address } } })
  }

  /** Loads an attestation page. @returns its ticket. */
  async function ticketFor(options: AttestOptions) {
    const { projectId = 'default', claimed, id = hashOf('sealed'), referrer } = options
    const query = new URLSearchParams({ projectId, id, origin: claimed })
    const { decryptedId = hashOf('open') } = options
    if (decryptedId !== null) query.set('decryptedId', decryptedId)
    const page = await send(`/v3/attestation?${query}`, {
      headers: {
        ...sentHeaders(options.framing ?? framing),
        ...(referrer !== undefined && { referer: referrer }),
      },
    })
    return /name="ticket" content="([\w.-]+)"/.exec(await page.text())![1]!
  }

  return {
    context,
    send,
    ticketFor,
    /** Loads an attestation page, and posts its ticket with the framing origin. @returns the attestation. */
    async attest(options: AttestOptions) {
      const ticket = await ticketFor(options)
      const { projectId = 'default', framedBy } = options
      const answer = await send(`/v3/attestation?projectId=${projectId}`, {
        method: 'POST',
        headers: sentHeaders(options.posting ?? ownPage),
        body: JSON.stringify({ ticket, origin: framedBy }),
      })
      return ((await answer.json()) as { attestation: string }).attestation
    },
    async stop() {
      await context.storage.close()
    },
  }
}

/** Headers of a request; `undefined` removes a header. */
type Headers = Record<string, string | undefined>

function sentHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

type AttestOptions = {
  projectId?: string
  /** The origin in the query. */
  claimed: string
  /** The framing origin that the browser reports, if any. */
  framedBy?: string
  referrer?: string
  /** Headers of the request for the page; by default, those that a browser sends. */
  framing?: Headers
  /** Headers of the request from the page; by default, those that a browser sends. */
  posting?: Headers
  id?: string
  /** `null` omits it. */
  decryptedId?: string | null
}
