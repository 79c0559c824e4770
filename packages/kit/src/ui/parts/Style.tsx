import { useInstance } from '../../react/context.ts'

/**
 * A component's stylesheet, rendered in the kit's root. It is added before the component first paints and
 * removed when the component unmounts. Uses the site's CSP nonce.
 *
 * @example import css from '../styles/account.css?inline'; <Style css={css} />
 */
export function Style({ css }: { css: string }) {
  const { nonce } = useInstance().options
  return <style nonce={nonce}>{css}</style>
}
