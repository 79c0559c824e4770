import type { Token } from '../../../core/money/tokens.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance } from '../../../react/context.ts'
import { Artwork } from '../Artwork.tsx'

/**
 * The picture of a token, with the network's picture at the corner. The view
 * renders `TokenStyle` once.
 */
export function TokenPicture(props: {
  token: Pick<Token, 'symbol' | 'image' | 'network'>
  size?: number
}) {
  const { token, size = 40 } = props
  const kit = useInstance()
  return (
    <span className="gf-pair">
      <Artwork name={token.symbol} src={token.image} shape="round" size={size} />
      <Artwork {...networkArt(kit, token.network)} size={18} />
    </span>
  )
}
