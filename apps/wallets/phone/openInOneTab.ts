/** Web Lock held by the tab that runs the wallet. */
const lockName = 'gatefold-phone'

/**
 * Opens the wallet in this tab and closes it in all others.
 *
 * @param options.open - opens the wallet; returns a function that closes it, called when another tab
 * opens it
 */
export function openInOneTab({ open }: { open: () => () => void }): void {
  const { locks } = navigator as { locks?: LockManager }
  // Without TLS, Web Locks are missing and tabs cannot coordinate.
  if (!locks) return void open()
  let close: (() => void) | undefined
  locks
    .request(lockName, { steal: true }, () => {
      close = open()
      return new Promise(() => undefined)
    })
    // The promise rejects only if another tab steals the lock.
    .catch(() => close?.())
}
