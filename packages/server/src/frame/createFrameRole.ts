import type { HttpContext } from '../http/access.ts'
import { createPreflight } from '../http/cors.ts'
import { postRpc } from '../gateway/rpc.ts'
import { bindRoutes, type Handler, type Role, type RouteTable } from '../http/Role.ts'
import { runEvery } from '../runEvery.ts'
import { postAudit, postDevices, postRevokeDevice, postUser } from './account.ts'
import { frameAnswers, refuse } from './answers.ts'
import { postEmailChange, postVerifyPrimary, postVerifySecondary } from './emailChange.ts'
import { FrameError } from './FrameError.ts'
import { getDevicePage, getUndoPage, postDevicePage, postUndoPage } from './links.ts'
import { postDeviceLogin, postEmailLogin, postVerifyLogin } from './login.ts'
import { maintain } from './maintain.ts'
import { refuseOtherOrigins } from './requests.ts'
import { createFrameService, type FrameContext, type FrameService } from './service.ts'
import { postEndSession, postRefresh } from './sessions.ts'
import { getAsset, getDocument } from './site.ts'
import { postCommit, postEscrow, postRecovery, postShare, postStage, postStaged } from './wallet.ts'

const maintainEveryMs = 5 * 60_000

const routes: RouteTable<FrameService> = {
  '/sdk': { GET: getDocument },
  '/assets/:name': { GET: getAsset },
  '/rpc': { POST: postOwnRpc },
  '/device': { GET: getDevicePage, POST: postDevicePage },
  '/email/undo': { GET: getUndoPage, POST: postUndoPage },
  '/api/login/email': { POST: postEmailLogin },
  '/api/login/device': { POST: postDeviceLogin },
  '/api/login/verify': { POST: postVerifyLogin },
  '/api/session/refresh': { POST: postRefresh },
  '/api/session/end': { POST: postEndSession },
  '/api/user': { POST: postUser },
  '/api/wallet/stage': { POST: postStage },
  '/api/wallet/staged': { POST: postStaged },
  '/api/wallet/commit': { POST: postCommit },
  '/api/wallet/share': { POST: postShare },
  '/api/wallet/recovery': { POST: postRecovery },
  '/api/wallet/escrow': { POST: postEscrow },
  '/api/email/change': { POST: postEmailChange },
  '/api/email/verify-primary': { POST: postVerifyPrimary },
  '/api/email/verify-secondary': { POST: postVerifySecondary },
  '/api/devices': { POST: postDevices },
  '/api/devices/revoke': { POST: postRevokeDevice },
  '/api/audit': { POST: postAudit },
}

export const framePaths = Object.keys(routes)

/** The server of the secure frame. @see docs/contracts/frame-api.md */
export async function createFrameRole(context: FrameContext): Promise<Role> {
  const { config, log } = context
  const stopping = new AbortController()
  let url = config.frameUrl ?? `http://localhost:${config.framePort}`
  const service = await createFrameService(context, () => url, stopping.signal)
  let stop: (() => void) | undefined
  let stopProbing: (() => void) | undefined
  let maintaining: Promise<void> | undefined
  return {
    routes: bindRoutes(routes, service),
    answers: frameAnswers,
    // No page of another origin may send requests, so a preflight allows nothing.
    preflight: createPreflight({ headers: frameAnswers.headers, methods: '' }),
    onError: (error) =>
      error instanceof FrameError ? refuse(error.status, error.reason, error.headers) : undefined,
    onListening(listenerUrl) {
      url = config.frameUrl ?? listenerUrl
      stopProbing = context.chains.keepProbing()
      stop = runEvery(maintainEveryMs, () => {
        maintaining = maintain(service).catch((error: unknown) =>
          log.warn({ err: error }, 'deleting expired rows of the secure frame failed'),
        )
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

/** The JSON-RPC proxy, for the frame's own pages. */
function postOwnRpc(service: FrameService): Handler {
  const { context } = service
  const post = postRpc(
    { ...context, chains: context.chains.byId },
    // The origin of a request is that of the frame, which no project lists.
    { refusedOrigin: undefined },
  )
  return (c: HttpContext) => {
    refuseOtherOrigins(service, c)
    return post(c)
  }
}
