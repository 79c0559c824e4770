/** The token with which a purchase starts on these networks. @see spec §3.12.2 */
export const defaultPurchase = {
  symbol: 'USDC',
  networkIds: ['eip155:1', 'eip155:137'] as readonly string[],
}
