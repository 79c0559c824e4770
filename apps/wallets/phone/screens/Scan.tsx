import { useCallback, useRef, useState } from 'react'
import { Bar } from '../parts/Bar.tsx'
import { Note } from '../parts/Note.tsx'
import { PasteField } from '../parts/PasteField.tsx'
import { useCamera } from '../scan/useCamera.ts'
import { usePhone } from '../usePhone.ts'
import { goHome, routes } from '../useRoute.ts'
import { explain } from '../words.ts'

/** Home, unless the person has left for elsewhere meanwhile. */
const done = () => {
  if (window.location.hash === routes.scan) goHome()
}

/** What the camera sees, until a code is in sight; where there is no camera, a field to paste into. */
export function Scan() {
  const phone = usePhone()
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const onCode = useCallback(
    (text: string) => {
      phone.pair(text).then(done, (error: unknown) => setProblem(explain(error)))
    },
    [phone],
  )
  const camera = useCamera(video, onCode)
  const seeing = camera === 'starting' || camera === 'looking'
  return (
    <main>
      <Bar title="Scan a code" onBack={goHome} />
      <div className="stack">
        <div className="finder" hidden={!seeing} data-state={camera}>
          <video ref={video} muted playsInline aria-label="What the camera sees" />
          <span className="finder-frame" aria-hidden="true" />
        </div>
        {seeing ? (
          <p className="fine" role="status">
            {camera === 'starting'
              ? 'Opening the camera'
              : 'Hold the code that the app shows into the frame.'}
          </p>
        ) : (
          <Note
            kind="plain"
            icon="scan"
            role="status"
            title={camera === 'refused' ? 'The camera is blocked' : 'No camera here'}
          >
            <p>
              {camera === 'refused'
                ? 'Allow it for this page in your browser, or copy the link in the app and paste it.'
                : 'Copy the link that the app shows beside the code, and paste it.'}
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
