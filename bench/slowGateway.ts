import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ether = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 3_600,
  quantity: { decimals: '18', numeric: '2' },
}
/** Responses by the last part of the path, for the views of the account. */
const answers: Record<string, object> = {
  balance: { balances: [ether] },
  history: { data: [], next: null },
  nfts: { nfts: [] },
}

/**
 * Starts a gateway that responds after a delay, to test pages with a slow or unresponsive gateway.
 *
 * @param delayMs - with `Infinity`, the gateway never responds
 */
export async function startSlowGateway(
  delayMs: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const wallets = Array.from({ length: 40 }, (_, index) => ({
    id: index.toString(16).padStart(64, '0'),
    name: `Directory wallet ${index}`,
    homepage: 'https://wallet.example',
  }))
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer((request, response) => {
    if (delayMs === Infinity) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const body =
        path === '/getWallets'
          ? { count: wallets.length, data: wallets }
          : path === '/appkit/v1/config'
            ? {
                features: ['swap', 'onramp', 'activity'].map((id) => ({
                  id,
                  isEnabled: true,
                  config: null,
                })),
              }
            : path === '/getAnalyticsConfig'
              ? { isAnalyticsEnabled: false }
              : path.startsWith('/v1/identity/')
                ? { name: null, avatar: null }
                : (answers[/[a-z-]+$/.exec(path)?.[0] ?? ''] ?? {})
      response.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      })
      response.end(JSON.stringify(body))
    }, delayMs)
    timers.add(timer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
