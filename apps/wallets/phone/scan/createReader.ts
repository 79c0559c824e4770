/**
 * Reads a QR code from a video frame. Resolves with the text of the code, or `undefined` if there
 * is none.
 */
export type CodeReader = (frame: HTMLVideoElement) => Promise<string | undefined>

type Detector = { detect(frame: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

type ReadPixels = (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null

/**
 * Longest side of the frame passed to jsQR, in pixels. Larger frames take longer but do not improve
 * results.
 */
const readSide = 720

/**
 * Creates a QR code reader. It uses the platform's barcode detector or, if there is none, jsQR.
 *
 * @see https://wicg.github.io/shape-detection-api/#barcode-detection-api
 */
export async function createReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (BarcodeDetector && formats?.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (frame) => (await detector.detect(frame))[0]?.rawValue
  }
  // jsQR's types declare a CommonJS export that its bundle does not have.
  const { default: read } = (await import('jsqr')) as unknown as { default: ReadPixels }
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (frame) => {
    const { videoWidth, videoHeight } = frame
    if (!context || !videoWidth) return undefined
    const scale = Math.min(1, readSide / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(frame, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    return read(data, width, height)?.data || undefined
  }
}
