/** The lock that says which tab holds the wallet. */
const lockName = 'gatefold-phone'

/**
 * Opens the wallet in this tab and closes it in the one that had it before.
 *
 * @param options.open - opens it here; returns what closes it once another tab takes it
 */
export function holdWallet({ open }: { open: () => () => void }): void {
  const { locks } = navigator as { locks?: LockManager }
  // Without locks (a page without TLS) tabs cannot know of each other.
  if (!locks) return void open()
  let close: (() => void) | undefined
  locks
    .request(lockName, { steal: true }, () => {
      close = open()
      return new Promise(() => undefined)
    })
    // The only way out is that the lock was stolen.
    .catch(() => close?.())
}
