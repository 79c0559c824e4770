import { data } from 'react-router'

/**
 * Matches every unknown path. The route is explicit, so that the root loader runs and the error page
 * has its links and fonts.
 */
export function loader(): never {
  throw data(null, { status: 404, statusText: 'Not Found' })
}

export default function Missing() {
  return null
}
