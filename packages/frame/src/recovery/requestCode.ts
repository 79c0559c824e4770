import type { Api } from '../api/createApi.ts'

/**
 * Has the code of a login mailed. If the project confirms devices, waits first until the visitor has opened the mailed link.
 *
 * @param onWaiting - called with true while it waits for the link, then with false.
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
