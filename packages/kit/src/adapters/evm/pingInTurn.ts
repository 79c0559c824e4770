import type { Chain, Transport } from 'viem'

import type { AlertEvent } from '../../core/notifications/alerts.ts'
import { isOffline } from '../../core/platform/isOffline.ts'

/**
 * Requests the chain id from each transport until one returns the expected id. The remaining transports are
 * not pinged, to avoid unnecessary requests to a site's fallback endpoints. Raises an alert if the gateway has no
 * RPC URL for the chain, if a URL serves another chain, and if no URL works.
 *
 * @returns the transports, failed ones last, without the gateway if it does not serve the chain
 */
export async function pingInTurn(
  transports: readonly Transport[],
  parameters: {
    create: (transport: Transport) => ReturnType<Transport>
    chain: Chain
    emit: (event: AlertEvent) => void
  },
): Promise<readonly Transport[]> {
  const { create, chain, emit } = parameters
  const networkId = `eip155:${chain.id}`
  const network = { networkId, network: chain.name }
  const failed: Transport[] = []
  const unserved = new Set<Transport>()
  const reasons: string[] = []
  for (const transport of transports) {
    const opened = create(transport)
    const url = toUrl((opened.value as { url?: string } | undefined)?.url)
    try {
      const answer = await opened.request({ method: 'eth_chainId' })
      if (Number(answer) === chain.id)
        return [...transports.slice(failed.length), ...failed].filter((it) => !unserved.has(it))
      reasons.push(`${url?.host}: chain ${Number(answer)}`)
      emit({
        type: 'alert',
        code: 'RPC_OF_ANOTHER_CHAIN',
        values: { ...network, host: String(url?.host), chainId: String(Number(answer)) },
      })
    } catch (error) {
      const { status } = error as { status?: number }
      reasons.push(`${url?.host}: ${status ? `status ${status}` : 'no response'}`)
      // The gateway has no RPC URL for the chain, so it would refuse every request.
      if (status === 400 && url?.searchParams.get('chainId') === networkId) {
        unserved.add(transport)
        emit({
          type: 'alert',
          code: 'NETWORK_WITHOUT_RPC',
          values: { ...network, server: url.origin },
        })
      }
    }
    failed.push(transport)
  }
  if (!isOffline())
    emit({
      type: 'alert',
      code: 'RPC_UNREACHABLE',
      values: { ...network, reasons: reasons.join(', ') || 'none is set' },
    })
  return transports.filter((transport) => !unserved.has(transport))
}

/** Transports other than HTTP have no URL. */
function toUrl(url: string | undefined): URL | undefined {
  return url && URL.canParse(url) ? new URL(url) : undefined
}
