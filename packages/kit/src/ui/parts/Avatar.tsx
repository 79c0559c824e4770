import { useKitContext } from '../../react/context.ts'
import { Artwork } from './Artwork.tsx'
import { AddressAvatar } from './AddressAvatar.tsx'

/**
 * The avatar of an account: the site's component, its image, or one derived from the address.
 *
 * @param props.size - in units, as for `Artwork`
 */
export function Avatar(props: { address: string; src?: string | undefined; size?: number }) {
  const { address, src, size = 64 } = props
  const { avatar: Custom } = useKitContext()
  return Custom ? (
    <Artwork shape="round" size={size}>
      <span>
        <Custom address={address} ensImage={src} size={size} />
      </span>
    </Artwork>
  ) : (
    <Artwork shape="round" size={size} src={src}>
      <AddressAvatar address={address} />
    </Artwork>
  )
}
