export type MemoryBudgets = ReturnType<typeof createMemoryBudgets>

const mib = 1024 * 1024

/** Maximum memory for one address. */
export const addressMemoryBytes = 24 * mib
/** Maximum memory for all addresses together. */
export const processMemoryBytes = 48 * mib
/** Memory that an address may use while the process is at its limit, so that attackers do not lock out others. */
export const reservedMemoryBytes = 2 * mib
/** Up to this size, the memory of a connection is not counted, because the connection itself needs more. */
export const uncountedBytes = 64 * 1024

/**
 * Limits the memory for requests and responses in progress: bodies, unfinished messages and unread responses.
 * Otherwise many connections could each use the maximum of one connection.
 *
 * @see docs/threats.md#memory-of-connections
 */
export function createMemoryBudgets() {
  const used = new Map<string, number>()
  let total = 0

  function add(address: string, bytes: number) {
    const sum = (used.get(address) ?? 0) + bytes
    total += bytes
    if (sum > 0) used.set(address, sum)
    else used.delete(address)
  }

  /** Whether an address may use this many additional bytes. */
  function hasRoom(address: string, bytes: number): boolean {
    const sum = (used.get(address) ?? 0) + bytes
    if (sum > addressMemoryBytes) return false
    return sum <= reservedMemoryBytes || total + bytes <= processMemoryBytes
  }

  return {
    hasRoom,

    /** Reserves bytes for an address, if there is room. */
    reserve(address: string, bytes: number): boolean {
      const isReserved = hasRoom(address, bytes)
      if (isReserved) add(address, bytes)
      return isReserved
    },

    /** Adds bytes that are already in use, or releases them if negative. */
    add,
  }
}
