import { useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'

/**
 * The film behind everything, under its veil.
 *
 * The document holds its poster alone. The film is fetched once the browser is idle, and not at
 * all for a visitor who asked for less motion or less data, unless that visitor presses play.
 */
export function Film() {
  const video = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)')
    const follow = () => {
      if (still.matches) video.current?.pause()
      else if (!savesData()) start(video.current)
    }
    const cancel = whenIdle(follow)
    still.addEventListener('change', follow)
    return () => {
      cancel()
      still.removeEventListener('change', follow)
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
      <div className="veil" />
      <button
        type="button"
        className="still"
        aria-label={playing ? 'Pause the film' : 'Play the film'}
        onClick={() => (playing ? video.current?.pause() : start(video.current))}
      >
        <Icon name={playing ? 'pause' : 'play'} />
      </button>
    </>
  )
}

function start(video: HTMLVideoElement | null) {
  // A browser may refuse to play (saving power, by policy): the poster then stays, which is fine.
  video?.play().catch(() => {})
}

/** Not in every browser, and so not in every type library. */
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
