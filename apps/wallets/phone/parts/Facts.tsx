import type { Row } from '../../src/window/describe.ts'

/** What is so, line by line: a word and its value. */
export function Facts({
  rows,
  label,
}: {
  rows: readonly (Row & { bad?: boolean })[]
  label?: string
}) {
  if (!rows.length) return undefined
  return (
    <dl className="leaf" aria-label={label}>
      {rows.map(({ label: word, value, bad }, index) => (
        <div key={`${index} ${word}`} className="fact" data-bad={bad || undefined}>
          <dt>{word}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
