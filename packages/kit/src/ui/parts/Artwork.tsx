import { useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'

import { wallet } from '../icons/base.ts'
import { hashOf } from '../hooks/hashOf.ts'
import { Icon } from './Icon.tsx'
import { initialsOf } from '../hooks/initialsOf.ts'

/** Number of hues of fallback tiles; small enough that neighboring hues look different. */
const hues = 24

/**
 * An image: square for wallets and apps, round for coins and people, hexagonal for networks. A
 * missing or broken image is replaced by a tile with initials or, without a name, by an icon. Hidden from
 * assistive technology, since the name is always next to it.
 *
 * @param props.size - in units (px at the default font size): 16–28 inline, 40 in lists, 56 in
 * grids, 64 alone
 */
export function Artwork(props: {
  src?: string | undefined
  size?: number
  shape?: 'square' | 'round' | 'hex'
  kind?: 'bad'
  /** The name whose initials are the fallback. */
  name?: string | undefined
  /** Shown as the fallback without a name. */
  icon?: string | undefined
  /** Replaces the image, for example with an avatar. */
  children?: ReactNode
}) {
  const { src, size = 40, name = '', icon = wallet } = props
  const [broken, setBroken] = useState<string>()
  const letters = initialsOf(name)
  return (
    <span
      className="gf-artwork"
      data-shape={props.shape}
      data-kind={props.kind}
      style={size === 40 ? undefined : ({ '--size': size } as CSSProperties)}
    >
      {props.children ??
        (src && src !== broken ? (
          <img
            src={src}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            onError={() => setBroken(src)}
          />
        ) : letters ? (
          // Drawn by CSS, because real text would be read aloud and copied together with the name.
          <span
            className="gf-letters"
            data-letters={letters}
            style={{ '--hue': (hashOf(name) % hues) * (360 / hues) } as CSSProperties}
          />
        ) : (
          <Icon d={icon} size={size >= 56 ? 24 : size < 28 ? 16 : 20} />
        ))}
    </span>
  )
}
