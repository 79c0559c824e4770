/** Finds a code in a picture. Resolves with its text; `undefined` where none is to be seen. */
export type CodeReader = (picture: HTMLVideoElement) => Promise<string | undefined>

type Detector = { detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

type ReadPixels = (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null

/** Longest side of the picture that our own reader looks at, in pixels: more costs time, not codes. */
const readSide = 720

/**
 * The platform's reader where it has one, else one that is loaded now.
 *
 * @see https://wicg.github.io/shape-detection-api/#barcode-detection-api
 */
export async function createReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (BarcodeDetector && formats?.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (picture) => (await detector.detect(picture))[0]?.rawValue
  }
  // Its types are those of a module that it is not.
  const { default: read } = (await import('jsqr')) as unknown as { default: ReadPixels }
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (picture) => {
    const { videoWidth, videoHeight } = picture
    if (!context || !videoWidth) return undefined
    const scale = Math.min(1, readSide / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    return read(data, width, height)?.data || undefined
  }
}
