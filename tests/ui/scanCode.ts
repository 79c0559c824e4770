import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

/** Image pixels per screen pixel of successive images: a camera moves. */
const scales = [1.25, 2, 1.5, 1]

/**
 * Decodes the QR code on a page from screenshots, as a camera does: image after image, until one
 * contains a code.
 *
 * @param options.of - selector of the area; by default the viewport
 * @param options.scale - image pixels per screen pixel of every image; by default they vary
 * @throws if eight images contain no code
 */
export async function scanCode(
  page: Page,
  options: { of?: string; scale?: number } = {},
): Promise<string> {
  const { of, scale } = options
  const shot = { animations: 'disabled', scale: 'css' } as const
  const reader = await page.context().newPage()
  try {
    const source = createRequire(import.meta.url).resolve('jsqr')
    await reader.evaluate(await readFile(source, 'utf8'))
    for (let image = 0; image < 8; image++) {
      const picture = await (of ? page.locator(of).screenshot(shot) : page.screenshot(shot))
      const code = await decode(reader, picture, scale ?? scales[image % scales.length]!)
      if (code) return code
    }
    throw new Error('No QR code on the page in eight images')
  } finally {
    await reader.close()
  }
}

function decode(reader: Page, picture: Buffer, scale: number): Promise<string | undefined> {
  return reader.evaluate(
    async ([data, factor]) => {
      type Read = (
        pixels: Uint8ClampedArray,
        width: number,
        height: number,
        options: { inversionAttempts: 'dontInvert' },
      ) => { data: string } | null
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width * factor
      canvas.height = image.height * factor
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height)
      const { jsQR } = globalThis as unknown as { jsQR: Read }
      // Not every camera app reads light codes on a dark background.
      return jsQR(pixels, canvas.width, canvas.height, { inversionAttempts: 'dontInvert' })?.data
    },
    [picture.toString('base64'), scale] as const,
  )
}
