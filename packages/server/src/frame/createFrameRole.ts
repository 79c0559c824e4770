import { createPreflight } from '../http/cors.ts'
import type { Handler, Method, Role, Routes } from '../http/Role.ts'
import { runEvery } from '../runEvery.ts'
import { frameAnswers, refuse } from './answers.ts'
import { FrameError } from './FrameError.ts'
import { createFrameService, type FrameContext } from './service.ts'

const maintainEveryMs = 5 * 60_000

/** The methods of the routes in `createRoutes.ts`. */
const methods = {
  '/sdk': ['GET'],
  '/settings': ['GET'],
  '/restore': ['GET'],
  '/approve': ['GET'],
  '/assets/:name': ['GET'],
  '/rpc': ['POST'],
  '/bundler': ['POST'],
  '/device': ['GET', 'POST'],
  '/device/remove': ['GET', 'POST'],
  '/email/undo': ['GET', 'POST'],
  '/loading': ['GET'],
  '/social/:provider': ['GET', 'POST'],
  '/api/login/email': ['POST'],
  '/api/login/device': ['POST'],
  '/api/login/verify': ['POST'],
  '/api/login/social': ['POST'],
  '/api/login/social/finish': ['POST'],
  '/api/login/farcaster': ['POST'],
  '/api/login/farcaster/finish': ['POST'],
  '/api/login/passkey': ['POST'],
  '/api/passkey/challenge': ['POST'],
  '/api/session/refresh': ['POST'],
  '/api/session/end': ['POST'],
  '/api/user': ['POST'],
  '/api/wallet/stage': ['POST'],
  '/api/wallet/staged': ['POST'],
  '/api/wallet/commit': ['POST'],
  '/api/wallet/share': ['POST'],
  '/api/wallet/recovery': ['POST'],
  '/api/wallet/escrow': ['POST'],
  '/api/paymaster': ['POST'],
  '/api/wallet/methods': ['POST'],
  '/api/handover/start': ['POST'],
  '/api/handover/open': ['POST'],
  '/api/handover/put': ['POST'],
  '/api/handover/take': ['POST'],
  '/api/email/change': ['POST'],
  '/api/email/verify-primary': ['POST'],
  '/api/email/verify-secondary': ['POST'],
  '/api/devices': ['POST'],
  '/api/devices/revoke': ['POST'],
  '/api/audit': ['POST'],
  '/api/audit/export': ['POST'],
  '/api/export/code': ['POST'],
} as const satisfies Record<string, readonly Method[]>

export type FramePath = keyof typeof methods

export const framePaths = Object.keys(methods)

/**
 * The server of the secure frame. The handlers are loaded on the first request,
 * so they do not slow down the start of a server whose visitors do not use the
 * frame.
 *
 * @throws {KeyError} if the keys cannot be used.
 * @see docs/contracts/frame-api.md
 */
export async function createFrameRole(context: FrameContext): Promise<Role> {
  const { config, log } = context
  const stopping = new AbortController()
  let url = config.frameUrl ?? `http://localhost:${config.framePort}`
  const service = await createFrameService(context, () => url, stopping.signal)

  /**
   * Loads the handlers' module on the first request, and creates each handler
   * once.
   */
  function lazily(path: FramePath, method: Method): Handler {
    let created: Promise<Handler> | undefined
    const create = async () => (await import('./createRoutes.ts')).routes[path][method]!(service)
    return async (c) => (await (created ??= create()))(c)
  }

  const routes: Routes = Object.fromEntries(
    Object.entries(methods).map(([path, names]) => [
      path,
      Object.fromEntries(names.map((name) => [name, lazily(path as FramePath, name)])),
    ]),
  )
  let stop: (() => void) | undefined
  let stopProbing: (() => void) | undefined
  let maintaining: Promise<void> | undefined

  async function maintain() {
    try {
      await (await import('./maintain.ts')).maintain(service)
    } catch (error) {
      log.warn({ err: error }, 'deleting expired rows of the secure frame failed')
    }
  }

  return {
    routes,
    answers: frameAnswers,
    // No page of another origin may send requests, so a preflight allows nothing.
    preflight: createPreflight({ headers: frameAnswers.headers, methods: '' }),
    onError: (error) =>
      error instanceof FrameError ? refuse(error.status, error.reason, error.headers) : undefined,
    onListening(listenerUrl) {
      url = config.frameUrl ?? listenerUrl
      stopProbing = context.chains.keepProbing()
      stop = runEvery(maintainEveryMs, () => {
        maintaining = maintain()
      })
    },
    async close() {
      stop?.()
      stopProbing?.()
      stopping.abort()
      await maintaining
      await service.escrow.close()
    },
  }
}
