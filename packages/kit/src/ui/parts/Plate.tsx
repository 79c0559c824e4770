import { hashOf } from '../hooks/hashOf.ts'

/** Number of hues; small enough that neighboring hues look different. */
const hues = 24

const tones = [undefined, 'pale', 'deep'] as const

/** SVG paths of the lighter and of the darker planes, separated by `|`, on a 40 × 40 grid. */
const folds = [
  '0 0 20 5v30L0 40z|40 0 20 5v30l20 5z',
  '40 40H24l16-16z|0 0h11v40H0z',
  '0 0h26v40H0zm26 0v14h14z|26 0h14v14z',
  '0 0h40L20 20z|0 40h40L20 20z',
  '0 0l10 4v36L0 36zm20 0 10 4v36l-10-4z|10 4l10-4v36l-10 4zm20 0 10-4v36l-10 4z',
  '0 0l20 23L40 0z|0 40l20-17 20 17z',
  '20 0v40L0 20z|20 0l20 20-20 20z',
  '0 40 16 0h14zm0 0 40-12v12z|0 40 40 0v14z',
  '0 0h40v12L0 15z|0 28l40-3v15H0z',
  '0 0h20v20zm40 40H20V20z|40 0v20H20zM0 40V20h20z',
].map((fold) => fold.split('|'))

/**
 * The placeholder of a wallet, chain or coin without a picture: folded paper in a color derived from the name, with
 * letters.
 *
 * @param props.letters - up to four; empty for none
 */
export function Plate({ name, letters }: { name: string; letters: string }) {
  const hash = hashOf(name.toLowerCase())
  return (
    <span
      className="gf-plate"
      // Drawn by CSS, because real text would be read aloud and copied together with the name.
      data-letters={letters}
      data-long={letters.length > 2 || undefined}
      data-tone={tones[(hash >>> 8) % tones.length]}
      style={{ '--hue': (hash % hues) * (360 / hues) }}
    >
      <svg viewBox="0 0 40 40">
        {folds[(hash >>> 16) % folds.length]?.map((d) => (
          <path key={d} d={`M${d}`} />
        ))}
      </svg>
    </span>
  )
}
