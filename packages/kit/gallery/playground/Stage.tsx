import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

import { sizes } from './settings.ts'
import type { SizeName } from './settings.ts'

/** Minimum size of the viewport that fills the free space. If there is less space, it is scaled down. */
const smallest = { width: 840, height: 720 }

/** The gallery in a frame with the size of a viewport, scaled down to the free space. */
export function Stage(properties: {
  /** The URL of a page of this server. */
  src: string
  size: SizeName
  frame: RefObject<HTMLIFrameElement | null>
}) {
  const { src, size, frame } = properties
  const area = useRef<HTMLDivElement>(null)
  const [free, setFree] = useState(smallest)
  const width = sizes[size]?.width ?? Math.max(smallest.width, Math.floor(free.width))
  const height = sizes[size]?.height ?? Math.max(smallest.height, Math.floor(free.height))
  const scale = Math.min(1, free.width / width, free.height / height)

  useLayoutEffect(() => {
    const element = area.current
    if (!element) return undefined
    const measure = () => setFree(element.getBoundingClientRect())
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Changing the `src` attribute would add an entry to the browser's history.
  useEffect(() => frame.current?.contentWindow?.location.replace(src), [frame, src])

  return (
    <div className="stage">
      <div className="area" ref={area}>
        <div className="viewport" style={{ width: width * scale, height: height * scale }}>
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of the same server */}
          <iframe
            ref={frame}
            title="The modal"
            width={width}
            height={height}
            style={{ transform: `scale(${scale})` }}
          />
        </div>
      </div>
      <p className="caption">
        {width} × {height}
        {scale < 1 && `, shown at ${Math.round(scale * 100)}%`}
      </p>
    </div>
  )
}
