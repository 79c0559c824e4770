import { memo } from 'react'
import type { ReactNode } from 'react'
import { encode, QrCodeDataType } from 'uqr'

import css from '../styles/qrCode.css?inline'
import { Style } from './Style.tsx'

/** Side of a finder pattern, in modules. */
const finderSize = 7

/**
 * A QR code, dark on white in both themes, as scanners expect.
 *
 * Error correction level M restores 15 % of the code; the image in the middle covers less than 5 %.
 * With a dot diameter of 0.96 modules, as in the stylesheet, all tested decoders read the code even at a
 * width of 320 px; with smaller dots, some do not.
 *
 * @param props.text - undefined renders a placeholder of the same size
 * @param props.label - accessible name
 * @param props.children - an image in the middle; it covers at most 19 % of each side
 */
export function QrCode(props: {
  text: string | undefined
  label: string
  /** Whether the placeholder shows a loading animation. */
  busy?: boolean
  children?: ReactNode
}) {
  const { text, label, busy, children } = props
  return (
    <>
      <Style css={css} />
      {text === undefined ? (
        <div className="gf-qr" data-waiting="" aria-hidden>
          <i />
          <i />
          <i />
          {busy && <span className="gf-skeleton" />}
          {children}
        </div>
      ) : (
        <div className="gf-qr">
          <Code text={text} label={label} />
          {children}
        </div>
      )}
    </>
  )
}

const Code = memo(function Code({ text, label }: { text: string; label: string }) {
  const { data, types, size } = encode(text, { ecc: 'M', border: 0 })
  const far = size - finderSize
  const frames = [
    ...[
      [0, 0],
      [far, 0],
      [0, far],
    ].map(([x = 0, y = 0]) => ({ x, y, side: finderSize })),
    ...alignments(types).filter(({ x, y }) => !isCovered(x + 2, size) || !isCovered(y + 2, size)),
  ]
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={dots(data, types)} />
      {frames.map(({ x, y, side }) => (
        <g key={`${x} ${y}`}>
          <rect x={x + 0.5} y={y + 0.5} width={side - 1} height={side - 1} rx={side * 0.27} />
          <rect
            x={x + 2}
            y={y + 2}
            width={side - 4}
            height={side - 4}
            rx={(side - 4) * 0.32}
            data-inner=""
          />
        </g>
      ))}
    </svg>
  )
})

type Types = ReturnType<typeof encode>['types']

/** Top left corners of the alignment patterns. */
function alignments(types: Types): { x: number; y: number; side: number }[] {
  const is = (x: number, y: number) => types[y]?.[x] === QrCodeDataType.Alignment
  return types.flatMap((row, y) =>
    row.flatMap((_, x) => (is(x, y) && !is(x - 1, y) && !is(x, y - 1) ? [{ x, y, side: 5 }] : [])),
  )
}

/** Whether the image covers a row or column. The image and its margin take up 20 % of each side. */
function isCovered(at: number, size: number): boolean {
  return Math.abs(at + 0.5 - size / 2) <= (size * 0.2) / 2
}

/** The dark modules as one path of dots, without the finder patterns, alignment patterns and covered area. */
function dots(data: readonly (readonly boolean[])[], types: Types): string {
  const size = data.length
  let path = ''
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) {
      const type = types[y]?.[x]
      if (!dark || type === QrCodeDataType.Position || type === QrCodeDataType.Alignment) continue
      if (!isCovered(x, size) || !isCovered(y, size)) path += `M${x + 0.5} ${y + 0.5}h0`
    }
  return path
}
