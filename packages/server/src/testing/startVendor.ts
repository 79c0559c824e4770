import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type VendorRequest = {
  /** `POST /path`, without the query. */
  route: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  /** The parsed body; `undefined` without one. */
  body: unknown
}

/**
 * Starts a local server that simulates a vendor's API. `answers` has a response
 * for each route, such as `GET /orders`; tests replace them. A number is a
 * status without a body.
 */
export async function startVendor() {
  const vendor = {
    url: '',
    answers: {} as Record<string, unknown>,
    requests: [] as VendorRequest[],
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
    const route = `${request.method} ${pathname}`
    const body = await text(request)
    vendor.requests.push({
      route,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: body === '' ? undefined : JSON.parse(body),
    })
    const answer = vendor.answers[route] ?? 404
    if (typeof answer === 'number') return void response.writeHead(answer).end('no')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return vendor
}
