import { setTimeout as wait } from 'node:timers/promises'
import type { LoginResponse } from '@gatefold/protocol/frame'
import { createTestDevice } from '../../packages/server/src/testing/createTestDevice.ts'
import type { MailServer } from './startMail.ts'

export type LoginLoad = {
  logins: number
  /** Logins that ended in an error. */
  lost: number
  /** Logins that were started in a minute. */
  perMinute: number
  /** The server's time for a login in ms: both requests, without the mail. */
  p50: number
  p99: number
}

/**
 * Starts logins of new users at a constant rate, whether or not earlier ones
 * have ended. Each login has its own device and client address.
 *
 * @param options.perMinute - logins to start in a minute.
 */
export async function benchLogins(options: {
  url: string
  mail: MailServer
  logins: number
  perMinute: number
}): Promise<LoginLoad> {
  const { url, mail, logins, perMinute } = options
  const times: number[] = []
  let lost = 0

  async function login(index: number) {
    const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
    const email = `visitor-${index}@example.com`
    const device = await createTestDevice({
      url,
      send: (path, init) => {
        const headers = new Headers(init.headers)
        headers.set('x-forwarded-for', address)
        return fetch(url + path, { ...init, headers })
      },
      readCode: (to) => mail.nextCode(to),
    })
    const mailed = mail.nextCode(email)
    const asked = performance.now()
    const { body } = await device.requestCode(email)
    const requested = performance.now() - asked
    const code = await Promise.race([
      mailed,
      wait(30_000).then(() => {
        throw new Error('no mail arrived')
      }),
    ])
    const entered = performance.now()
    const verified = await device.post<LoginResponse>('/api/login/verify', {
      loginId: body.loginId,
      code,
    })
    if (verified.status !== 200) throw new Error(JSON.stringify(verified.body))
    times.push(requested + performance.now() - entered)
  }

  const begin = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < logins; index += 1) {
    const dueMs = begin + (index * 60_000) / perMinute - performance.now()
    if (dueMs > 0) await wait(dueMs)
    running.push(
      login(index).catch(() => {
        lost += 1
      }),
    )
  }
  const startedMs = performance.now() - begin
  await Promise.all(running)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity
  return {
    logins,
    lost,
    perMinute: Math.round((Math.max(1, logins - 1) * 60_000) / startedMs),
    p50: at(0.5),
    p99: at(0.99),
  }
}
