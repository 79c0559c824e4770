import { createSharedHost } from './createSharedHost.ts'
import { createSingleHost } from './createSingleHost.ts'
import type { Host, HostOptions, SharedPage } from './Host.ts'

/** Runs an engine for this tab and all others, where the platform can; else for this one. */
export function createHost<command, outcome, event, snapshot>(
  options: HostOptions<command, outcome, event, snapshot>,
): Host<command, outcome, event, snapshot> {
  const page = options.page ?? findPage()
  if (page && page !== 'none')
    try {
      return createSharedHost(options, page)
    } catch {
      // A frame without storage has no channel.
    }
  return createSingleHost(options)
}

function findPage(): SharedPage | undefined {
  // Node has both, but no tabs.
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return undefined
  // Missing on pages without TLS; a sandboxed page has no origin to share.
  const { locks } = navigator as { locks?: LockManager }
  return locks && self.origin !== 'null' ? { locks, BroadcastChannel } : undefined
}
