import { memo } from 'react'
import type { ReactNode } from 'react'
import { encode } from 'uqr'

/** Modules of a finder pattern's side. */
const finder = 7

/**
 * A text as a code to be scanned: dark on white in both themes, since cameras expect it so.
 *
 * Error correction M restores 15 % of the code; the picture in the middle takes less than 5 %. Dots
 * of 0.96 of a module and this quiet zone are read by every decoder tried, at 320 px too; thinner
 * dots were not.
 *
 * @param props.text - undefined draws the place where the code will be
 * @param props.label - what it is, for those who cannot scan it
 * @param props.children - a picture of 56 units in the middle
 */
export const QrCode = memo(function QrCode(props: {
  text: string | undefined
  label: string
  children?: ReactNode
}) {
  const { text, label } = props
  if (text === undefined)
    return (
      <div className="gf-qr" data-waiting="" aria-hidden>
        <i />
        <i />
        <i />
        <span className="gf-sk" />
        {props.children}
      </div>
    )
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const far = size - finder
  return (
    <div className="gf-qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
        <path d={dots(data)} />
        {[
          [0, 0],
          [far, 0],
          [0, far],
        ].map(([x = 0, y = 0]) => (
          <g key={`${x} ${y}`}>
            <rect x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.9" />
            <rect x={x + 2} y={y + 2} width="3" height="3" rx="0.95" data-heart="" />
          </g>
        ))}
      </svg>
      {props.children}
    </div>
  )
})

/** The dark modules as one path of dots, without the finders and what lies under the picture. */
function dots(data: readonly (readonly boolean[])[]): string {
  const size = data.length
  const far = size - finder
  // A picture of 56 of 300 units: a fifth of the code with its margin.
  const half = (size * 0.2) / 2
  const covered = (at: number) => Math.abs(at + 0.5 - size / 2) <= half
  let path = ''
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) {
      const inFinder = (x < finder && (y < finder || y >= far)) || (x >= far && y < finder)
      if (dark && !inFinder && !(covered(x) && covered(y))) path += `M${x + 0.5} ${y + 0.5}h0`
    }
  return path
}
