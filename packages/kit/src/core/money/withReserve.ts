/** A fee, and what the base fee can rise by with the next block. @see EIP-1559 */
export function withReserve(fee: bigint): bigint {
  return fee + fee / 8n
}
