import { useEffect, useRef } from 'preact/hooks'

/**
 * Runs work when the component mounts. @param work - may return a cleanup
 * function.
 */
export function useOnce(work: () => void | (() => void)) {
  const first = useRef(work)
  useEffect(() => first.current(), [])
}
