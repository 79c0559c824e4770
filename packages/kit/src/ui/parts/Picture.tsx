import { useState } from 'react'

/** URLs of the images that this page has loaded. These do not fade in again. */
const loadedUrls = new Set<string>()

/** An image that fades in over the placeholder of `Artwork` once it has loaded. */
export function Picture({ src, onError }: { src: string; onError?: () => void }) {
  const [loaded, setLoaded] = useState(() => loadedUrls.has(src))
  return (
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      data-loaded={loaded || undefined}
      onLoad={() => {
        loadedUrls.add(src)
        setLoaded(true)
      }}
      onError={onError}
    />
  )
}
