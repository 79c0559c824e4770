/** The lazy chunk of the wide layout, for instances with `modalSize: 'wide'`. */
export { Wide } from '../wide/Wide.tsx'
