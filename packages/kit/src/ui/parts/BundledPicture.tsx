import { useEffect, useRef, useState } from 'react'

import { aliases, groups } from '../../data/pictures/index.ts'
import { useKitState } from '../../react/context.ts'
import { Picture } from './Picture.tsx'

/**
 * A bundled picture. Its module is loaded once the modal is open and the picture is visible. Renders nothing if there
 * is no picture for the id.
 *
 * @param props.id - the id of a wallet's image or of a connector, or a chain's CAIP-2 id
 */
export function BundledPicture({ id }: { id: string }) {
  const key = aliases[id] ?? id.split('-', 1)[0] ?? ''
  const group = groups.find(({ keys }) => keys.includes(key))
  const open = useKitState((state) => state.view.open)
  const [src, setSrc] = useState<string>()
  const [failed, setFailed] = useState(false)
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = place
    if (!group || !open || !current) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      group.load().then(
        ({ pictures }) => setSrc(pictures[key]),
        () => {}, // the plate remains
      )
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [group, key, open])
  if (!group || failed) return null
  return src ? <Picture src={src} onError={() => setFailed(true)} /> : <i ref={place} />
}
