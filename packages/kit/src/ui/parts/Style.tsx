import { useInstance } from '../../react/context.ts'

/**
 * A view's own style sheet, rendered in the kit's root. It is applied before the first paint of the view,
 * removed with it, and carries the site's nonce for its Content-Security-Policy.
 *
 * @example import css from '../styles/account.css?inline'; <Style css={css} />
 */
export function Style({ css }: { css: string }) {
  const { nonce } = useInstance().options
  return <style nonce={nonce}>{css}</style>
}
