import type { ReactNode } from 'react'

/**
 * A list with its heading and a button that leads to all of it.
 *
 * @param props.count - the maximum number of rows, whose height the list always
 *   has
 */
export function Rows(props: {
  heading: string
  count: number
  more: string | undefined
  onMore: () => void
  isBusy: boolean
  children: ReactNode
}) {
  const { heading, count, more, onMore, isBusy, children } = props
  return (
    <div className="leaf-list" aria-busy={isBusy} style={{ '--rows': count }}>
      <header>
        <h2>{heading}</h2>
        {more && (
          <button type="button" className="more" onClick={onMore}>
            {more}
          </button>
        )}
      </header>
      {children}
    </div>
  )
}

/** Placeholders of the size of rows. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div className="leaf-row" key={index}>
          <span className="coin" data-empty />
          <span className="what">
            <span className="skeleton" />
            <span className="skeleton" />
          </span>
        </div>
      ))}
    </div>
  )
}

/** Says what is missing, with a button that requests it again. */
export function Failure({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className="leaf-note" role="alert">
      <p>{children}</p>
      <button type="button" className="text-button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
