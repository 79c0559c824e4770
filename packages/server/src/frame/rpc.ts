import { postRpc } from '../gateway/rpc.ts'
import type { Handler } from '../http/Role.ts'
import type { Chains } from '../rpc/createChains.ts'
import { refuseOtherOrigins } from './requests.ts'
import type { FrameService } from './service.ts'

/** `POST /rpc`: the JSON-RPC proxy, for the frame's own pages. @see docs/contracts/frame-api.md#rpc */
export function postOwnRpc(service: FrameService): Handler {
  return forOwnPages(service, service.context.chains)
}

/** `POST /bundler`: the same for the bundlers of ERC-4337. */
export function postOwnBundler(service: FrameService): Handler {
  return forOwnPages(service, service.context.bundlers)
}

function forOwnPages(service: FrameService, chains: Chains): Handler {
  const { context } = service
  const post = postRpc(
    { ...context, chains: chains.byId },
    // The origin of a request is that of the frame, which no project lists.
    { refusedOrigin: undefined },
  )
  return (c) => {
    refuseOtherOrigins(service, c)
    return post(c)
  }
}
