import { postRpc } from '../gateway/rpc.ts'
import type { Handler } from '../http/Role.ts'
import { refuseOtherOrigins } from './requests.ts'
import type { FrameService } from './service.ts'

/** `POST /rpc`: the JSON-RPC proxy, for the frame's own pages. @see docs/contracts/frame-api.md#rpc */
export function postOwnRpc(service: FrameService): Handler {
  const { context } = service
  const post = postRpc(
    { ...context, chains: context.chains.byId },
    // The origin of a request is that of the frame, which no project lists.
    { refusedOrigin: undefined },
  )
  return (c) => {
    refuseOtherOrigins(service, c)
    return post(c)
  }
}
