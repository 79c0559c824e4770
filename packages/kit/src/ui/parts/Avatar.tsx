import { Artwork } from './Artwork.tsx'
import { AddressAvatar } from './AddressAvatar.tsx'

/**
 * The avatar of an account: its image, or one derived from the address.
 *
 * @param props.size - in units, as for `Artwork`
 */
export function Avatar(props: { address: string; src?: string | undefined; size?: number }) {
  const { address, src, size = 64 } = props
  return (
    <Artwork shape="round" size={size} src={src}>
      {src ? undefined : <AddressAvatar address={address} />}
    </Artwork>
  )
}
