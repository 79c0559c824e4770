import { writeFile } from 'node:fs/promises'
import type { LaunchOptions, Page } from 'playwright-core'

/** Size of the camera image, in pixels. */
const size = { width: 1280, height: 720 }
/** The share of the image that the screen fills in successive frames. Not every code can be read at every size. */
const zooms = [1, 0.94, 0.88, 0.97]

/** Launch options for a Chromium whose camera shows a file that `pointCamera` writes. */
export function cameraOf(file: string): LaunchOptions {
  return {
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ],
  }
}

/**
 * Points the camera at a page's screen. Affects cameras opened after this call.
 *
 * @param file - the file that was passed to `cameraOf`; its name must end in `.y4m`
 * @see https://wiki.multimedia.cx/index.php/YUV4MPEG2
 */
export async function pointCamera(page: Page, file: string): Promise<void> {
  const screen = await page.screenshot({ animations: 'disabled' })
  const canvasPage = await page.context().newPage()
  try {
    const frames = await canvasPage.evaluate(
      async ([picture, { width, height }, factors]) => {
        const image = new Image()
        image.src = `data:image/png;base64,${picture}`
        await image.decode()
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width, height })
        const context = canvas.getContext('2d')!
        const fit = Math.min(width / image.width, height / image.height)
        return factors.map((factor) => {
          context.clearRect(0, 0, width, height)
          const [w, h] = [image.width * fit * factor, image.height * fit * factor]
          context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h)
          const { data } = context.getImageData(0, 0, width, height)
          let bytes = ''
          for (let at = 0; at < data.length; at += 4) {
            const grey = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!
            bytes += String.fromCharCode(Math.round(grey))
          }
          return btoa(bytes)
        })
      },
      [screen.toString('base64'), size, zooms] as const,
    )
    const { width, height } = size
    const chroma = Buffer.alloc((width * height) / 2, 128)
    const head = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`
    const parts = frames.flatMap((luma) => [
      Buffer.from('FRAME\n'),
      Buffer.from(luma, 'base64'),
      chroma,
    ])
    await writeFile(file, Buffer.concat([Buffer.from(head), ...parts]))
  } finally {
    await canvasPage.close()
  }
}
