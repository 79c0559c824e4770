import type { Api } from '../api/createApi.ts'

/**
 * Requests a login code by mail. If the project confirms devices, first waits
 * until the visitor has opened the mailed link.
 *
 * @param onWaiting - called with `true` when the wait for the link starts, and
 *   with `false` when it ends.
 * @returns the id of the login.
 */
export async function requestCode(
  api: Api,
  request: { projectId: string; origin: string; email: string },
  onWaiting: (isWaiting: boolean) => void,
): Promise<string> {
  const { action, loginId } = await api.open('login/email', request)
  if (action === 'VERIFY_OTP') return loginId
  onWaiting(true)
  try {
    for (;;) {
      const { isConfirmed } = await api.open('login/device', { loginId })
      if (isConfirmed) return loginId
    }
  } finally {
    onWaiting(false)
  }
}
