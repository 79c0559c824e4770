import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../http/createApp.ts'
import { createTestFrame, type TestFrame } from '../testing/createTestFrame.ts'
import { createInbox } from './createInbox.ts'

let frame: TestFrame
let get: (
  path: string,
  headers?: Record<string, string>,
  remoteAddress?: string,
) => Promise<Response>
beforeEach(async () => {
  frame = await createTestFrame()
  const own = [createInbox(frame.context.mailer.sink!)]
  const app = createApp(frame.context, { running: new Map(), paths: {}, own })
  get = async (path, headers = { host: 'localhost:3001' }, remoteAddress = '127.0.0.1') =>
    app.request(path, { headers }, { incoming: { headers, socket: { remoteAddress } } })
  await (await frame.device()).requestCode('ada@example.com')
})
afterEach(() => frame.stop())

test('the local mail sink shows the mails as a page and as JSON', async () => {
  const page = await get('/dev/mail')
  expect(await page.text()).toContain('To ada@example.com')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const { mails } = (await (await get('/dev/mail.json')).json()) as { mails: unknown[] }
  expect(mails).toEqual([
    expect.objectContaining({ to: 'ada@example.com', subject: 'Your code to log in – Gatefold' }),
  ])
})

test.each<[string, Record<string, string>, string]>([
  ['another machine', { host: 'localhost:3001' }, '192.0.2.1'],
  ['a proxy', { host: 'localhost:3001', 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1'],
  ['a name that resolves to this machine', { host: 'evil.example' }, '127.0.0.1'],
])('attack: %s cannot read the mails', async (_, headers, address) => {
  for (const path of ['/dev/mail', '/dev/mail.json']) {
    const response = await get(path, headers, address)
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('ada@')
  }
})

test('attack: a page of another origin cannot read the mails', async () => {
  const { headers } = await get('/dev/mail.json')
  expect(headers.get('access-control-allow-origin')).toBe(null)
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})
