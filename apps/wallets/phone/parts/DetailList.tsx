import type { Row } from '../../src/window/describeRequest.ts'

/** A list of labels with values. */
export function DetailList({
  rows,
  label,
}: {
  rows: readonly (Row & { isError?: boolean })[]
  label?: string
}) {
  if (!rows.length) return undefined
  return (
    <dl className="group" aria-label={label}>
      {rows.map(({ label: term, value, isError }, index) => (
        <div key={`${index} ${term}`} className="detail" data-error={isError || undefined}>
          <dt>{term}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
