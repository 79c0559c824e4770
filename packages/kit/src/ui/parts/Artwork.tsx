import { useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'

import { wallet } from '../icons/base.ts'
import { hashOf } from '../hooks/hashOf.ts'
import { Icon } from './Icon.tsx'
import { initialsOf } from '../hooks/initialsOf.ts'

/** Hues of tiles: few enough that two which differ look different. */
const hues = 24

/**
 * A picture: square for a wallet or an app, round for a coin or a person, six-sided for a network.
 * A missing or broken one becomes a tile with the name's letters in a hue of its own, or with an icon,
 * never an empty box. The name stands beside it, so the picture itself is decoration.
 *
 * @param props.size - in units (px at the default master): 16–28 inline, 40 in lists, 56 in grids
 */
export function Artwork(props: {
  src?: string | undefined
  size?: number
  shape?: 'square' | 'round' | 'hex'
  kind?: 'accent' | 'bad'
  /** Whose picture it is; its letters are drawn where there is none. */
  name?: string | undefined
  /** Drawn where there is neither a picture nor a name. */
  icon?: string | undefined
  /** Drawn in place of the picture, such as an avatar. */
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
          // Not as text, so that it is neither read out nor copied with the name beside it.
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
