import { WalletsQuery } from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import { enter, type HttpContext } from '../http/access.ts'
import { jsonHeaders, refuse } from './answers.ts'
import type { GatewayContext } from './context.ts'
import { check, readQuery } from '../http/input.ts'

const init = { headers: { ...jsonHeaders, 'cache-control': 'private, max-age=300' } }

/**
 * `GET /getWallets`: the wallet directory, filtered and paginated. The
 * directory does not change while a server runs, so encoded responses are cached by query. Encoding
 * 40 KB of text costs more than the rest of a request.
 *
 * @see docs/contracts/gateway.md#wallets; spec §7.4, §9.2
 */
export function getWallets(context: GatewayContext) {
  const responses = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (body, key) => body.length + key.length,
  })

  function answer(c: HttpContext): Response {
    const { url } = c.req.raw
    const query = url.slice(url.indexOf('?') + 1)
    const cached = responses.get(query)
    if (cached) return new Response(cached, init)
    const { value, reasons } = check(WalletsQuery, readQuery(c), 'query')
    if (reasons) return refuse(400, reasons)
    const body = new TextEncoder().encode(JSON.stringify(context.directory.find(value)))
    responses.set(query, body)
    return new Response(body, init)
  }

  return (c: HttpContext) => {
    const project = enter(context, c)
    if (project instanceof Promise)
      return project.then((entered) => (entered instanceof Response ? entered : answer(c)))
    return project instanceof Response ? project : answer(c)
  }
}
