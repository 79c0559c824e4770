import { coordinateTabs } from './coordinateTabs.ts'
import type { TabCoordinator, TabCoordinatorOptions, TabPlatform } from './TabCoordinator.ts'

/** Runs an engine for this tab and all others, where the platform can; else for this one. */
export function createTabCoordinator<command, outcome, event, snapshot>(
  options: TabCoordinatorOptions<command, outcome, event, snapshot>,
): TabCoordinator<command, outcome, event, snapshot> {
  const { page = findPage() } = options
  try {
    return coordinateTabs(options, page === 'none' ? alone : page)
  } catch {
    // A frame without storage has no channel.
    return coordinateTabs(options, alone)
  }
}

function findPage(): TabPlatform {
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
