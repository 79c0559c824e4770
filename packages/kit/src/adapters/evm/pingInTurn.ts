import type { Transport } from 'viem'

/**
 * Requests the chain id from each transport until one returns the expected id. Transports after it are
 * not pinged, so that a site's fallback endpoints are not contacted without need.
 *
 * @returns the transports; those that failed come last
 */
export async function pingInTurn(
  transports: readonly Transport[],
  parameters: { create: (transport: Transport) => ReturnType<Transport>; chainId: number },
): Promise<readonly Transport[]> {
  const { create, chainId } = parameters
  for (const [failures, transport] of transports.entries()) {
    const answer = await create(transport)
      .request({ method: 'eth_chainId' })
      .catch(() => undefined)
    if (Number(answer) === chainId)
      return [...transports.slice(failures), ...transports.slice(0, failures)]
    if (answer !== undefined)
      // oxlint-disable-next-line no-console -- the message is for the site's developer
      console.warn(`Gatefold: an RPC URL of chain ${chainId} serves chain ${Number(answer)}.`)
  }
  return transports
}
