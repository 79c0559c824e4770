import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestGateway.ts'

const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer(['money'])
})
afterAll(() => server?.stop())

test('§7.8.19 no account has granted a permission', async () => {
  const { status, body } = await server.json(`/v1/sessions/${account}?projectId=default`)
  expect(status).toBe(200)
  expect(body).toEqual({ pcis: [] })
})

test.each([
  [{ pci: 'a', signature: '0x' }, 400, 'pci', 'there is no permission with this id'],
  [{ pci: 'a' }, 422, 'signature', 'signature is missing'],
])('§7.8.20 error: %j cannot be revoked', async (body, expected, field, description) => {
  const path = `/v1/sessions/${account}/revoke?projectId=default`
  const answer = await server.json(path, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(expected)
  expect(answer.body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
})
