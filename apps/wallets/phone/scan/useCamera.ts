import { type RefObject, useEffect, useState } from 'react'
import { createReader } from './createReader.ts'

/** `none`: this device has no camera, or this page no way to it. `refused`: it may not be used. */
export type CameraState = 'starting' | 'looking' | 'none' | 'refused'

/** Pause between two looks at the picture, in ms: a code is held for longer than that. */
const lookMs = 120

/**
 * Shows what the camera sees in a video element, until a code is in sight.
 *
 * @param onCode - told of each code that is read, the same one only once
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (text: string) => void,
): CameraState {
  const [state, setState] = useState<CameraState>('starting')
  useEffect(() => {
    const lifetime = new AbortController()
    const { signal } = lifetime
    watchCodes(video.current, signal, { onCode, onLooking: () => setState('looking') }).catch(
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
  { onCode, onLooking }: { onCode: (text: string) => void; onLooking: () => void },
): Promise<void> {
  // Left out by browsers where the page came without TLS.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (!video || !mediaDevices) throw new Error('This page can reach no camera.')
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
  onLooking()
  let last: string | undefined
  while (!signal.aborted) {
    const text = await read(video)
    if (signal.aborted) return
    if (text && text !== last) onCode(text)
    last = text ?? last
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
