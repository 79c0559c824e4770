import type { Controls } from '../../src/createControls.ts'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { describe } from '../../src/window/describe.ts'

/** What is asked, in a few words. */
export function titleOf(request: PendingRequest, controls: Controls): string {
  const { subject, app } = request
  if (subject?.kind === 'session') return `Connect to ${app?.name ?? 'this app'}`
  if (subject?.kind === 'signIn') return `Sign in to ${subject.domain}`
  return describe(request, controls).title
}
