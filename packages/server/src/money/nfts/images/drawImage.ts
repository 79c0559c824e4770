import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { imageSize } from 'image-size'

/** Supported formats. Of an animation, only the first frame is used. */
const formats = ['gif', 'jpg', 'png', 'svg', 'webp']
/** Maximum number of pixels of an image. */
const maxPixels = 25_000_000
/** Maximum memory of the decoder, in pages of WebAssembly: 64 KiB each. */
const maxMemoryPages = 4_096
/** Quality of the WebP image, from 0 to 100. */
const quality = 80
/** Fonts for the text in SVG images. */
const fonts = ['latin', 'latin-ext'].map((subset) => `instrument-sans-${subset}-wght-normal.woff2`)

const require = createRequire(import.meta.url)

/**
 * Re-encodes an image as WebP, scaled to fit into a square of `size` pixels.
 * Only WebAssembly decoders read the image, so a hostile image cannot harm the
 * process.
 *
 * @throws {Error} with a message for visitors if the image cannot be
 *   re-encoded.
 * @see docs/adr/0022-images-in-webassembly.md
 */
export async function drawImage(bytes: Uint8Array, size: number): Promise<ArrayBuffer> {
  const { width, height } = fit(measure(bytes), size)
  const { renderer, encode } = await (tools ??= loadTools())
  let pixels: Uint8Array<ArrayBuffer>
  try {
    pixels = await renderer.render(
      { type: 'image', src: 'image', style: { width: '100%', height: '100%' } },
      { width, height, format: 'raw', images: [{ src: 'image', data: bytes, cache: 'none' }] },
    )
  } catch (error) {
    throw new Error('The image is damaged or needs too much memory.', { cause: error })
  }
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  return encode({ data, width, height, colorSpace: 'srgb' }, { quality })
}

type Size = { width: number; height: number }

/** Reads the size from the header, before anything is decoded. */
function measure(bytes: Uint8Array): Size & { isVector: boolean } {
  let found: { type?: string; width: number; height: number }
  try {
    found = imageSize(bytes)
  } catch (error) {
    throw new Error('The image has an unknown format.', { cause: error })
  }
  const { type = '', width, height } = found
  if (!formats.includes(type)) throw new Error(`The format ${type} is not supported.`)
  const isVector = type === 'svg'
  if (!isVector && width * height > maxPixels)
    throw new Error(`The image has more than ${maxPixels} pixels.`)
  return { width, height, isVector }
}

/** The size to which an image is scaled. Only vector images are enlarged. */
function fit({ width, height, isVector }: ReturnType<typeof measure>, size: number): Size {
  const scale = Math.min(size / width, size / height, isVector ? Infinity : 1)
  const round = (length: number) => Math.min(size, Math.max(1, Math.round(length * scale) || 1))
  return { width: round(width), height: round(height) }
}

let tools: ReturnType<typeof loadTools> | undefined

async function loadTools() {
  // Applies to the whole process; no other part of the server needs that much
  // WebAssembly memory.
  setFlagsFromString(`--wasm-max-mem-pages=${maxMemoryPages}`)
  const { Renderer } = await import('@takumi-rs/wasm/node')
  const { default: encode, init } = await import('@jsquash/webp/encode.js')
  await init({ wasmBinary: readPackage('@jsquash/webp/codec/enc/webp_enc_simd.wasm') })
  const renderer = new Renderer()
  for (const file of fonts)
    await renderer.registerFont({
      name: 'Instrument Sans',
      data: readPackage(`@fontsource-variable/instrument-sans/files/${file}`),
    })
  return { renderer, encode }
}

function readPackage(path: string): Buffer<ArrayBuffer> {
  return readFileSync(require.resolve(path))
}
