/**
 * The placeholders for the parts of a view that is loading.
 *
 * @param props.heights - the heights of the parts in units, so that the card keeps its height
 */
export function Skeletons(props: { label: string; heights: readonly number[] }) {
  return (
    <div className="gf-section" role="status" aria-label={props.label}>
      {props.heights.map((height, index) => (
        <span
          key={index}
          className="gf-skeleton"
          style={{
            blockSize: `calc(var(--gf-u) * ${height})`,
            borderRadius: 'var(--gf-r-surface)',
            background: 'var(--gf-surface)',
          }}
        />
      ))}
    </div>
  )
}
