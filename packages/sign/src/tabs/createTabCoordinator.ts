import { coordinateTabs } from './coordinateTabs.ts'
import type { TabCoordinator, TabCoordinatorOptions, TabPlatform } from './TabCoordinator.ts'

/** Coordinates tabs if the platform supports it, otherwise runs a separate engine for this tab. */
export function createTabCoordinator<command, outcome, event, snapshot>(
  options: TabCoordinatorOptions<command, outcome, event, snapshot>,
): TabCoordinator<command, outcome, event, snapshot> {
  const { platform = findPlatform() } = options
  try {
    return coordinateTabs(options, platform === 'none' ? singleTab : platform)
  } catch {
    // BroadcastChannel throws in a frame without storage access.
    return coordinateTabs(options, singleTab)
  }
}

function findPlatform(): TabPlatform {
  // Node has BroadcastChannel, but no tabs.
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return singleTab
  // Pages without TLS have no Web Locks; a sandboxed page has an opaque origin.
  const { locks } = navigator as { locks?: LockManager }
  return locks && self.origin !== 'null' ? { locks, BroadcastChannel } : singleTab
}

/** A lock that is always free and a channel without other members. */
const singleTab = {
  locks: { request: async (_name: string, _options: object, held: () => unknown) => held() },
  BroadcastChannel: class {
    addEventListener() {}
    postMessage() {}
    close() {}
  },
} as never
