export const slotCount = 16_384

/** CRC16 (XMODEM) of each byte. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)
  return crc
})

/**
 * The hash slot of a key: CRC16 (XMODEM) modulo 16,384 of the text between the first `{` and the next `}`. If
 * there is no such text, the whole key is hashed.
 *
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model
 */
export function slotOf(key: string): number {
  const start = key.indexOf('{') + 1
  const end = start > 0 ? key.indexOf('}', start) : -1
  let crc = 0
  for (const byte of Buffer.from(end > start ? key.slice(start, end) : key))
    crc = ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ byte]!
  return crc % slotCount
}
