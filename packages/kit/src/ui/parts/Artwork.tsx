import { useState } from 'react'
import type { ReactNode } from 'react'

import type { Art } from '../../core/wallets/art.ts'
import { wallet } from '../icons/base.ts'
import { initialsOf } from '../hooks/initialsOf.ts'
import { useLazyModule } from '../hooks/useLazyModule.ts'
import { Icon } from './Icon.tsx'
import { Picture } from './Picture.tsx'
import { Plate } from './Plate.tsx'

const loadBundled = () => import('./BundledPicture.tsx')

/**
 * A picture. Until it has loaded, or without one, shows a plate with the name's letters or, without a name, an icon.
 * Hidden from assistive technology, because the name is always next to it.
 *
 * @param props.size - in units (px at the default font size): 16–28 inline, 40 in lists, 56 in
 * grids, 64 alone
 */
export function Artwork(
  props: Art & {
    size?: number
    kind?: 'bad'
    /** Shown if there is neither a picture nor a name. */
    icon?: string | undefined
    /** Shown if there is no picture, instead of plate and icon. */
    children?: ReactNode
  },
) {
  const { src, picture, shape, size = 40, name = '', icon = wallet } = props
  const [broken, setBroken] = useState<string>()
  const usesSrc = src && src !== broken
  // A picture in a data URL needs no request, and is shown one or two frames later.
  const isInline = usesSrc && src.startsWith('data:')
  const letters = isInline
    ? ''
    : shape === 'round'
      ? name.slice(0, 4).toUpperCase()
      : initialsOf(name)
  const bundled = useLazyModule(Boolean(picture) && !usesSrc, loadBundled)
  return (
    <span
      className="gf-artwork"
      data-shape={shape}
      data-kind={props.kind}
      style={size === 40 ? undefined : { '--size': size }}
    >
      {props.children ??
        (isInline ? null : letters ? (
          // Letters would be too small to read below 24 units.
          <Plate name={name} letters={size < 24 ? '' : letters} />
        ) : (
          <Icon d={icon} size={size >= 56 ? 24 : size < 28 ? 16 : 20} />
        ))}
      {usesSrc ? (
        <Picture key={src} src={src} onError={() => setBroken(src)} />
      ) : (
        picture && bundled && <bundled.BundledPicture key={picture} id={picture} />
      )}
    </span>
  )
}
