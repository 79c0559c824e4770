import type { Handler, Method } from '../http/Role.ts'
import { postAudit, postDevices, postRevokeDevice, postUser } from './account.ts'
import { postEmailChange, postVerifyPrimary, postVerifySecondary } from './emailChange.ts'
import {
  postHandoverOpen,
  postHandoverPut,
  postHandoverStart,
  postHandoverTake,
} from './recovery/handover.ts'
import { postExportCode, postExported } from './recovery/exports.ts'
import { asPage, getDevicePage, getUndoPage, postDevicePage, postUndoPage } from './links.ts'
import { getRemovalPage, postRemovalPage } from './removal.ts'
import { postDeviceLogin, postEmailLogin, postVerifyLogin } from './login.ts'
import { postEndSession, postRefresh } from './sessions.ts'
import { postPasskeyChallenge, postPasskeyLogin } from './recovery/passkeyLogin.ts'
import { postOwnBundler, postOwnRpc } from './rpc.ts'
import { getApprovalWindow, getAsset, getDocument, getPage } from './site.ts'
import { getCallbackPage, getLoadingPage, postCallbackPage } from './social/callback.ts'
import { postFarcasterLogin, postFinishFarcaster } from './social/farcaster.ts'
import { postFinishSocial, postSocialLogin } from './social/socialLogin.ts'
import { postPaymaster } from './sponsor/paymaster.ts'
import {
  postCommit,
  postEscrow,
  postMethods,
  postRecovery,
  postShare,
  postStage,
  postStaged,
} from './wallet.ts'
import type { FramePath } from './createFrameRole.ts'
import type { FrameService } from './service.ts'

type Creates = Partial<Record<Method, (service: FrameService) => Handler>>

/** The functions that create the handlers. */
export const routes: Record<FramePath, Creates> = {
  '/sdk': { GET: getDocument },
  '/settings': { GET: getPage },
  '/restore': { GET: getPage },
  '/approve': { GET: getApprovalWindow },
  '/assets/:name': { GET: getAsset },
  '/rpc': { POST: postOwnRpc },
  '/bundler': { POST: postOwnBundler },
  '/device': { GET: asPage(getDevicePage), POST: asPage(postDevicePage) },
  '/device/remove': { GET: asPage(getRemovalPage), POST: asPage(postRemovalPage) },
  '/email/undo': { GET: asPage(getUndoPage), POST: asPage(postUndoPage) },
  '/loading': { GET: getLoadingPage },
  '/social/:provider': { GET: getCallbackPage, POST: postCallbackPage },
  '/api/login/email': { POST: postEmailLogin },
  '/api/login/device': { POST: postDeviceLogin },
  '/api/login/verify': { POST: postVerifyLogin },
  '/api/login/social': { POST: postSocialLogin },
  '/api/login/social/finish': { POST: postFinishSocial },
  '/api/login/farcaster': { POST: postFarcasterLogin },
  '/api/login/farcaster/finish': { POST: postFinishFarcaster },
  '/api/login/passkey': { POST: postPasskeyLogin },
  '/api/passkey/challenge': { POST: postPasskeyChallenge },
  '/api/session/refresh': { POST: postRefresh },
  '/api/session/end': { POST: postEndSession },
  '/api/user': { POST: postUser },
  '/api/wallet/stage': { POST: postStage },
  '/api/wallet/staged': { POST: postStaged },
  '/api/wallet/commit': { POST: postCommit },
  '/api/wallet/share': { POST: postShare },
  '/api/wallet/recovery': { POST: postRecovery },
  '/api/wallet/escrow': { POST: postEscrow },
  '/api/paymaster': { POST: postPaymaster },
  '/api/wallet/methods': { POST: postMethods },
  '/api/handover/start': { POST: postHandoverStart },
  '/api/handover/open': { POST: postHandoverOpen },
  '/api/handover/put': { POST: postHandoverPut },
  '/api/handover/take': { POST: postHandoverTake },
  '/api/email/change': { POST: postEmailChange },
  '/api/email/verify-primary': { POST: postVerifyPrimary },
  '/api/email/verify-secondary': { POST: postVerifySecondary },
  '/api/devices': { POST: postDevices },
  '/api/devices/revoke': { POST: postRevokeDevice },
  '/api/audit': { POST: postAudit },
  '/api/audit/export': { POST: postExported },
  '/api/export/code': { POST: postExportCode },
}
