import { type RefObject, useEffect, useState } from 'react'
import { createReader } from './createReader.ts'

/** `none`: no usable camera, for example because the page has no TLS. `refused`: permission denied. */
export type CameraState = 'starting' | 'scanning' | 'none' | 'refused'

/** Interval between scans, in ms. */
const scanMs = 120

/**
 * Shows the camera in a video element and scans it for QR codes.
 *
 * @param onCode - called for each code; repeated scans of the same code call it once
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (text: string) => void,
): CameraState {
  const [state, setState] = useState<CameraState>('starting')
  useEffect(() => {
    const lifetime = new AbortController()
    const { signal } = lifetime
    watchCodes(video.current, signal, { onCode, onScanning: () => setState('scanning') }).catch(
      (error: unknown) => {
        if (signal.aborted) return
        const { name } = error as { name?: string }
        setState(name === 'NotAllowedError' ? 'refused' : 'none')
      },
    )
    return () => lifetime.abort()
  }, [video, onCode])
  return state
}

async function watchCodes(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  { onCode, onScanning }: { onCode: (text: string) => void; onScanning: () => void },
): Promise<void> {
  // Undefined on pages without TLS.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (!video || !mediaDevices) throw new Error('No camera available.')
  const stream = await mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
  if (signal.aborted) return stop()
  signal.addEventListener('abort', stop)
  const read = await createReader()
  video.srcObject = stream
  await video.play()
  onScanning()
  let last: string | undefined
  while (!signal.aborted) {
    const text = await read(video)
    if (signal.aborted) return
    if (text && text !== last) onCode(text)
    last = text ?? last
    await new Promise((resolve) => setTimeout(resolve, scanMs))
  }
}
