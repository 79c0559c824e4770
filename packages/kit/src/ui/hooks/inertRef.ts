/**
 * A ref that sets an element's `inert` property and, when detached, resets it to false. React 18 does not support the
 * attribute.
 *
 * @example <div ref={inertRef(!accepted)}>
 */
export function inertRef(inert: boolean) {
  let current: HTMLElement | null = null
  return (element: HTMLElement | null) => {
    if (element) element.inert = inert
    else if (current) current.inert = false
    current = element
  }
}
