import { data } from 'react-router'

/**
 * Every address the book does not have. It is a route of its own, rather than no route at all,
 * so that the root loader runs and the error page keeps its links and fonts.
 */
export function loader(): never {
  throw data(null, { status: 404, statusText: 'Not Found' })
}

export default function Missing() {
  return null
}
