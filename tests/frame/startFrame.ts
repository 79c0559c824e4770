import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFrame, frameFolder } from '@gatefold/frame/build'
import { chainData, smartAccounts, sponsor as sponsorKey } from '@gatefold/chain'
import { startServer } from '@gatefold/server'
import { listen } from '@gatefold/site'
import { expect } from 'vitest'
import { sponsor } from '../../packages/server/src/cli/sponsor.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import {
  ensureDefaultProject,
  findProject,
  saveProject,
  type Project,
} from '../../packages/server/src/storage/projects.ts'

export type FrameStack = {
  /** Origin of the frame. */
  url: string
  /** Folder of the server's databases. */
  dataDir: string
  /** A server of pages, each of which has its own origin. */
  serve(pages: Record<string, string>): Promise<string>
  /**
   * Waits for a mailed code.
   *
   * @param nth - the number of the code among those mailed to the address,
   *   starting at 1
   */
  codeFor(email: string, nth?: number): Promise<string>
  /** The text of the last mail to an address. */
  lastMail(email: string): Promise<string>
  /** Advances the server's clock, for example until another code can be requested. */
  advance(seconds: number): void
  /** The URL of the frame's document. */
  documentUrl(projectId?: string): string
  /**
   * Lets the default project pay for operations: any call, up to an amount in
   * gwei per user and day.
   */
  sponsor(userDayGwei: number): Promise<void>
  /** Stops only the server; open pages stay open. */
  stopServer(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server with the built site of the frame.
 *
 * @param options.bundlerUrls - with the URL of a bundler, wallets have smart accounts on that chain.
 */
export async function startFrame(
  options: {
    rpcUrls?: Record<string, string[]>
    bundlerUrls?: Record<string, string[]>
    /** The value of `GATEFOLD_SOCIALS`. */
    socials?: object
    /** Settings of the default project. */
    project?: Partial<Project>
  } = {},
): Promise<FrameStack> {
  await buildFrame()
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-frame-'))
  const { bundlerUrls = {} } = options
  if (options.project) {
    const storage = await openStorage({ ...readConfig({}), dataDir })
    await ensureDefaultProject(storage.db, Date.now())
    const project = await findProject(storage.db, 'default')
    await saveProject(storage.db, { ...project!, ...options.project }, Date.now())
    await storage.close()
  }
  let ahead = 0
  const server = await startServer(
    {
      port: 0,
      dataDir,
      logLevel: 'silent',
      frameSite: frameFolder,
      rpcUrls: options.rpcUrls ?? {},
      bundlerUrls,
      smartAccounts: Object.fromEntries(
        Object.entries(smartAccounts).filter(([id]) => id in bundlerUrls),
      ),
      paymasterKey: sponsorKey.privateKey,
      chains: chainData,
      socials: socialSettings(options.socials),
    },
    { now: () => Date.now() + ahead },
  )
  const sites: { stop(): Promise<void> }[] = []
  const url = server.frameUrl!
  return {
    url,
    dataDir,
    async serve(pages) {
      const site = await listen(
        (request) => {
          const page = pages[new URL(request.url).pathname]
          return new Response(page ?? 'Not found', {
            status: page === undefined ? 404 : 200,
            headers: { 'content-type': 'text/html; charset=utf-8' },
          })
        },
        { port: 0 },
      )
      sites.push(site)
      return site.url
    },
    async codeFor(email, nth = 1) {
      const codes = async () => {
        const response = await fetch(`${server.url}/dev/mail.json`)
        const { mails } = (await response.json()) as { mails: { to: string; text: string }[] }
        return mails
          .filter(({ to }) => to === email)
          .flatMap(({ text }) => /^\d{6}$/m.exec(text)?.[0] ?? [])
          .toReversed()
      }
      await expect.poll(async () => (await codes()).length).toBeGreaterThanOrEqual(nth)
      return (await codes())[nth - 1]!
    },
    async lastMail(email) {
      const response = await fetch(`${server.url}/dev/mail.json`)
      const { mails } = (await response.json()) as { mails: { to: string; text: string }[] }
      return mails.find(({ to }) => to === email)?.text ?? ''
    },
    advance(seconds) {
      ahead += seconds * 1000
    },
    documentUrl: (projectId = 'default') => `${url}/sdk?projectId=${projectId}`,
    async sponsor(userDayGwei) {
      const amount = (userDayGwei / 1e9).toFixed(9)
      const limits = ['--user-day', amount, '--day', '1', '--total', '10']
      const args = ['set', 'default', '--contract', 'any', ...limits]
      await sponsor(args, { env: { GATEFOLD_DATA_DIR: dataDir }, print: () => {} })
    },
    stopServer: () => server.stop(),
    async stop() {
      await Promise.all(sites.map((site) => site.stop()))
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The social logins, with the documented endpoints as defaults. */
const socialSettings = (socials = {}) =>
  readConfig({
    GATEFOLD_SOCIALS: JSON.stringify(socials),
    GATEFOLD_CHAINS: JSON.stringify(chainData),
  }).socials

/**
 * A page that embeds the frame, records its messages, and can send messages.
 *
 * @param frameUrl - the URL of the frame's document, or of a page to embed
 *   instead.
 */
export const hostPage = (frameUrl: string, more = '') => `<!doctype html>
<html lang="en">
  <title>Host</title>
  <body>
    <script>
      window.received = []
      addEventListener('message', (event) => {
        window.received.push({ origin: event.origin, data: event.data })
      })
      window.send = (name, payload, id = Math.random().toString(36).slice(2, 8)) =>
        new Promise((resolve) => {
          addEventListener('message', function take(event) {
            if (event.data?.id !== id || !String(event.data.type).startsWith('@w3m-frame/')) return
            removeEventListener('message', take)
            resolve(event.data)
          })
          document.getElementById('w3m-iframe').contentWindow.postMessage(
            { type: '@w3m-app/' + name, payload, id },
            '*',
          )
        })
    </script>
    <iframe id="w3m-iframe" src="${frameUrl}" style="width:360px;height:600px;border:0"></iframe>
    ${more}
  </body>
</html>`
