import { createSharedHost } from './createSharedHost.ts'
import type { Host, HostOptions, SharedPage } from './Host.ts'

/** Runs an engine for this tab and all others, where the platform can; else for this one. */
export function createHost<command, outcome, event, snapshot>(
  options: HostOptions<command, outcome, event, snapshot>,
): Host<command, outcome, event, snapshot> {
  const { page = findPage() } = options
  try {
    return createSharedHost(options, page === 'none' ? alone : page)
  } catch {
    // A frame without storage has no channel.
    return createSharedHost(options, alone)
  }
}

function findPage(): SharedPage {
  // Node has both, but no tabs.
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return alone
  // Missing on pages without TLS; a sandboxed page has no origin to share.
  const { locks } = navigator as { locks?: LockManager }
  return locks && self.origin !== 'null' ? { locks, BroadcastChannel } : alone
}

/** No other tab: a lock that is always free, and a channel that nobody listens to. */
const alone = {
  locks: { request: async (_name: string, _options: object, held: () => unknown) => held() },
  BroadcastChannel: class {
    addEventListener() {}
    postMessage() {}
    close() {}
  },
} as never
