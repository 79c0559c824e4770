import { fileURLToPath } from 'node:url'
import { chainData, smartAccounts, sponsor } from '@gatefold/chain'
import { buildFrame, frameFolder } from '@gatefold/frame/build'
import { freePort, startProgram, type Program } from '@gatefold/tests/program'

const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))

/** Rate limit per address, high enough for a load of logins from one machine. */
const unlimited = '1000000'

export type FrameServer = { program: Program; /** Origin of the frame. */ url: string }

/**
 * Starts a server of the secure frame in a separate process, with its database
 * in a folder, as an operator would.
 *
 * @param options.bundlerUrl - enables smart accounts.
 */
export async function startFrameServer(options: {
  dataDir: string
  smtpUrl: string
  rpcUrl: string
  bundlerUrl?: string | undefined
}): Promise<FrameServer> {
  await buildFrame()
  const { dataDir, smtpUrl, rpcUrl, bundlerUrl } = options
  const [port, framePort] = [await freePort(), await freePort()]
  const id = 'eip155:31337'
  const program = await startProgram({
    name: 'frame',
    args: [bin, 'serve', '--roles', 'gateway,frame'],
    port,
    env: {
      GATEFOLD_PORT: `${port}`,
      GATEFOLD_FRAME_PORT: `${framePort}`,
      GATEFOLD_FRAME_SITE: frameFolder,
      GATEFOLD_DATA_DIR: dataDir,
      GATEFOLD_LOG_LEVEL: 'fatal',
      GATEFOLD_SMTP_URL: smtpUrl,
      GATEFOLD_MAIL_FROM: 'Bench <no-reply@bench.example>',
      GATEFOLD_RPC_URLS: JSON.stringify({ [id]: [rpcUrl] }),
      GATEFOLD_CHAINS: JSON.stringify(chainData),
      ...(bundlerUrl !== undefined && {
        GATEFOLD_BUNDLER_URLS: JSON.stringify({ [id]: [bundlerUrl] }),
        GATEFOLD_SMART_ACCOUNTS: JSON.stringify({ [id]: smartAccounts[id] }),
        GATEFOLD_PAYMASTER_KEY: sponsor.privateKey,
      }),
      // Each login of the load has its own client address.
      GATEFOLD_TRUSTED_PROXIES: '1',
      GATEFOLD_IP_RATE: unlimited,
      GATEFOLD_IP_BURST: unlimited,
      GATEFOLD_PROJECT_RATE: unlimited,
      GATEFOLD_PROJECT_BURST: unlimited,
    },
    health: '/health',
  })
  return { program, url: `http://localhost:${framePort}` }
}
