import { WalletsQuery } from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { enter, type GatewayRequest } from './access.ts'
import { jsonText, refuse } from './answer.ts'
import { check, readQuery } from './input.ts'

const cacheFor = { 'cache-control': 'private, max-age=300' }

/**
 * `GET /getWallets`: the wallet directory, filtered and in pages.
 * The directory does not change while a server runs, so an answer is made once for each query.
 *
 * @see contract of the gateway, 3.1; spec §7.4, §9.2
 */
export function getWallets(context: Context) {
  const answers = new LRUCache<string, string>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (body, key) => body.length + key.length,
  })

  function answer(c: GatewayRequest): Response {
    const { url } = c.req.raw
    const query = url.slice(url.indexOf('?') + 1)
    const known = answers.get(query)
    if (known) return jsonText(known, 200, cacheFor)
    const { value, reasons } = check(WalletsQuery, readQuery(c), 'query')
    if (reasons) return refuse(400, reasons)
    const body = JSON.stringify(context.directory.find(value))
    answers.set(query, body)
    return jsonText(body, 200, cacheFor)
  }

  return (c: GatewayRequest) => {
    const project = enter(context, c)
    if (project instanceof Promise)
      return project.then((entered) => (entered instanceof Response ? entered : answer(c)))
    return project instanceof Response ? project : answer(c)
  }
}
