import css from '../../styles/token.css?inline'
import { Style } from '../Style.tsx'

/** The styles of `TokenPicture` and of a token's row; once per view, because a list may have hundreds of rows. */
export function TokenStyle() {
  return <Style css={css} />
}
