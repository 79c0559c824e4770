/**
 * Renders `public/grain.png`, the noise over the film: `node film/grain.ts`.
 *
 * With 8 bits per channel, the dark gradients of the film show banding. A static, nearly transparent
 * noise tile hides the banding at no cost per frame.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const side = 128
const alpha = 7 // of 255

let seed = 97
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647

// gray and alpha, 8 bits each; every row starts with its filter type, 0 = none
const rows = Buffer.alloc(side * (1 + side * 2))
for (let y = 0; y < side; y++) {
  for (let x = 0; x < side; x++) {
    const at = y * (1 + side * 2) + 1 + x * 2
    rows[at] = random() < 0.5 ? 0 : 255
    rows[at + 1] = Math.round(random() * alpha)
  }
}

const header = Buffer.alloc(13)
header.writeUInt32BE(side, 0)
header.writeUInt32BE(side, 4)
header.set([8, 4], 8) // bit depth, color type "gray with alpha"

writeFileSync(
  join(import.meta.dirname, '../public/grain.png'),
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]),
)

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
