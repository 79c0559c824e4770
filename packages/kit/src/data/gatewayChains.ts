const references = new Set([
  ...[
    1, 10, 56, 97, 100, 137, 300, 324, 1101, 1301, 1329, 5000, 5003, 8217, 8453, 17000, 42161,
    42220, 43113, 43114, 59144, 80002, 80084, 84532, 421614, 7777777, 11155111, 11155420, 999999999,
    1313161554, 1313161555,
  ].map((id) => `eip155:${id}`),
  'solana:5eykt4UsFv8P',
  'solana:EtWTRABZaYq6',
  'solana:4uhcVJyU9pJk',
  'near:mainnet',
  'bip122:000000000019',
  'bip122:000000000933',
])

/**
 * Whether a chain uses the gateway's RPC by default if a gateway is configured. Such chains are publicly known.
 *
 * @param caipNetworkId - its CAIP-2 id. Of a hash of 32 characters, the first 12 are compared: every page loads the list.
 * @see spec §7.12.2; docs/contracts.md
 */
export function isGatewayChain(caipNetworkId: string): boolean {
  return references.has(caipNetworkId.slice(0, 19))
}
