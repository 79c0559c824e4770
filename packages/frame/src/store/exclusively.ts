/**
 * Runs work that no other tab of the frame's origin may run at the same time,
 * because the tabs share storage and accounts. A browser that denies storage
 * denies locks too; then the tabs share nothing.
 *
 * @see W3C Web Locks API
 */
export async function exclusively<Result>(
  name: 'device' | 'session' | 'socials' | 'transaction' | 'wallet',
  work: () => Promise<Result>,
): Promise<Result> {
  let hasStarted = false
  const start = () => {
    hasStarted = true
    return work()
  }
  try {
    return await navigator.locks.request(`gatefold-${name}`, start)
  } catch (error) {
    if (hasStarted) throw error
    return work()
  }
}
