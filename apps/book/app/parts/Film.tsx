import { useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'

/**
 * The background film, under a dark overlay.
 *
 * Only the poster loads with the document. The film loads once the browser is idle or, with reduced
 * motion or Save-Data, only when the visitor plays it.
 */
export function Film() {
  const video = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    const update = () => {
      if (reducedMotion.matches) video.current?.pause()
      else if (!savesData()) start(video.current)
    }
    const cancel = whenIdle(update)
    reducedMotion.addEventListener('change', update)
    return () => {
      cancel()
      reducedMotion.removeEventListener('change', update)
    }
  }, [])

  return (
    <>
      <video
        ref={video}
        className="film"
        poster="/film-poster.webp"
        preload="none"
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden="true"
        tabIndex={-1}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      >
        <source src="/film.webm" type="video/webm" />
        <source src="/film.mp4" type="video/mp4" />
      </video>
      <div className="overlay" />
      <button
        type="button"
        className="film-toggle"
        aria-label={playing ? 'Pause the film' : 'Play the film'}
        onClick={() => (playing ? video.current?.pause() : start(video.current))}
      >
        <Icon name={playing ? 'pause' : 'play'} />
      </button>
    </>
  )
}

function start(video: HTMLVideoElement | null) {
  // If the browser blocks playback (power saving, policy), the poster stays.
  video?.play().catch(() => {})
}

/** `navigator.connection` is missing in some browsers and in the DOM types. */
function savesData() {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(run, { timeout: 4000 })
    return () => cancelIdleCallback(id)
  }
  const id = setTimeout(run, 1200)
  return () => clearTimeout(id)
}
