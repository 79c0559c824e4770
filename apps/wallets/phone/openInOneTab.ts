/** Web Lock held by the tab in which the wallet is open. */
const lockName = 'gatefold-phone'

/**
 * Opens the wallet in this tab and closes it in any other.
 *
 * @param options.open - opens it here; returns a function that closes it when another tab opens it
 */
export function openInOneTab({ open }: { open: () => () => void }): void {
  const { locks } = navigator as { locks?: LockManager }
  // Without TLS there are no locks, and tabs cannot coordinate.
  if (!locks) return void open()
  let close: (() => void) | undefined
  locks
    .request(lockName, { steal: true }, () => {
      close = open()
      return new Promise(() => undefined)
    })
    // The promise only rejects when another tab steals the lock.
    .catch(() => close?.())
}
