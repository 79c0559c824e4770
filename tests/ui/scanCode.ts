import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

/**
 * Decodes the QR code on a page from a screenshot.
 *
 * @param options.of - selector of the area; by default the viewport
 * @param options.scale - image pixels per screen pixel; a camera image has a scale other than 1
 * @returns undefined if no code was found
 */
export async function scanCode(
  page: Page,
  options: { of?: string; scale?: number } = {},
): Promise<string | undefined> {
  const { of, scale = 1.25 } = options
  const shot = { animations: 'disabled', scale: 'css' } as const
  const picture = await (of ? page.locator(of).screenshot(shot) : page.screenshot(shot))
  const reader = await page.context().newPage()
  try {
    const source = createRequire(import.meta.url).resolve('jsqr')
    await reader.evaluate(await readFile(source, 'utf8'))
    return await reader.evaluate(
      async ([data, factor]) => {
        type Read = (
          pixels: Uint8ClampedArray,
          width: number,
          height: number,
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
        return jsQR(pixels, canvas.width, canvas.height)?.data
      },
      [picture.toString('base64'), scale] as const,
    )
  } finally {
    await reader.close()
  }
}
