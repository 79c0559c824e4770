import { useKit } from '../../react/context.ts'

/**
 * A view's own style sheet, in the kit's root: gone with the view, allowed by a
 * Content-Security-Policy through the site's nonce, and applied before the view is painted.
 *
 * @example import css from '../styles/account.css?inline'; <Style css={css} />
 */
export function Style({ css }: { css: string }) {
  const { nonce } = useKit().options
  return <style nonce={nonce}>{css}</style>
}
