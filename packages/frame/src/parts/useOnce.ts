import { useEffect, useRef } from 'preact/hooks'

/** Runs work when the component is shown for the first time. @param work - may return a function that ends it. */
export function useOnce(work: () => void | (() => void)) {
  const first = useRef(work)
  useEffect(() => first.current(), [])
}
