import type { Controls } from '../../src/createControls.ts'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { describeRequest } from '../../src/window/describeRequest.ts'

/** The title of a request. */
export function requestTitle(request: PendingRequest, controls: Controls): string {
  const { details, app } = request
  if (details?.kind === 'session') return `Connect to ${app?.name ?? 'this app'}`
  if (details?.kind === 'signIn') return `Sign in to ${details.domain}`
  return describeRequest(request, controls).title
}
