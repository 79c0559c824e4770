import { useCallback, useEffect, useRef, useState } from 'react'
import { ScreenHeader } from '../parts/ScreenHeader.tsx'
import { Note } from '../parts/Note.tsx'
import { PasteField } from '../parts/PasteField.tsx'
import { useCamera } from '../scan/useCamera.ts'
import { usePhone } from '../usePhone.ts'
import { goHome, routes } from '../useRoute.ts'
import { explainError } from '../texts.ts'

/** Goes to the home screen, unless another screen has been opened in the meantime. */
const done = () => {
  if (window.location.hash === routes.scan) goHome()
}

/** Scans a QR code with the camera. A field below also accepts a pasted link. */
export function Scan() {
  const phone = usePhone()
  useEffect(() => phone.sign.preconnect(), [phone])
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const onCode = useCallback(
    (text: string) => {
      phone.pair(text).then(done, (error: unknown) => setProblem(explainError(error)))
    },
    [phone],
  )
  const camera = useCamera(video, onCode)
  const active = camera === 'starting' || camera === 'scanning'
  return (
    <main>
      <ScreenHeader title="Scan QR code" onBack={goHome} />
      <div className="stack">
        <div className="viewfinder" hidden={!active} data-state={camera}>
          <video ref={video} muted playsInline aria-label="Camera preview" />
          <span className="viewfinder-frame" aria-hidden="true" />
        </div>
        {active ? (
          <p className="hint" role="status">
            {camera === 'starting' ? 'Starting camera…' : 'Point the camera at the app’s QR code.'}
          </p>
        ) : (
          <Note
            kind="plain"
            icon="scan"
            role="status"
            title={camera === 'refused' ? 'Camera access is blocked' : 'No camera found'}
          >
            <p>
              {camera === 'refused'
                ? 'Allow camera access in your browser, or copy the link from the app and paste it below.'
                : 'Copy the link from the app and paste it below.'}
            </p>
          </Note>
        )}
        {problem && (
          <Note kind="bad" icon="warn" role="alert">
            <p>{problem}</p>
          </Note>
        )}
        <PasteField onPaired={done} />
      </div>
    </main>
  )
}
