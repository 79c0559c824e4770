import { useState } from 'react'

/** An app's icon, or its initial if the icon is missing or fails to load. */
export function AppIcon({
  src,
  name,
  size,
}: {
  src?: string | undefined
  name: string
  size: 40 | 56
}) {
  const [broken, setBroken] = useState<string>()
  return (
    <span className="app-icon" data-size={size} aria-hidden="true">
      {src && src !== broken ? (
        <img src={src} alt="" referrerPolicy="no-referrer" onError={() => setBroken(src)} />
      ) : (
        <b>{name.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase()}</b>
      )}
    </span>
  )
}
