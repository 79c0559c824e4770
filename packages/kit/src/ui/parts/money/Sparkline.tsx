/**
 * The drawing area, in units of the view box. Leaves room for half of the
 * stroke at the highest and lowest point.
 */
const width = 100
const height = 40
const margin = 2

/**
 * A line through values over time. The time runs from left to right in every
 * language. Hidden from screen readers, because the text beside it contains the
 * same information.
 *
 * @param props.points - at least two, oldest first
 */
export function Sparkline(props: { points: readonly { time: number; price: number }[] }) {
  const line = lineThrough(props.points)
  return (
    <svg
      className="gf-sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={`${line}V${height}H0z`} data-area />
      <path d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** The SVG path through the points. If all prices are equal, the line is in the middle. */
export function lineThrough(points: readonly { time: number; price: number }[]): string {
  const prices = points.map(({ price }) => price)
  const low = Math.min(...prices)
  const range = Math.max(...prices) - low
  const start = points[0]?.time ?? 0
  const span = (points.at(-1)?.time ?? 0) - start
  const round = (value: number) => Math.round(value * 100) / 100
  const corners = points.map(({ time, price }) => {
    const x = span > 0 ? ((time - start) / span) * width : 0
    const share = range > 0 ? (price - low) / range : 0.5
    return `${round(x)} ${round(height - margin - share * (height - 2 * margin))}`
  })
  return `M${corners.join('L')}`
}
