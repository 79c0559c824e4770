import { Artwork } from '../../parts/Artwork.tsx'
import { Icon } from '../../parts/Icon.tsx'
import type { DescribedActivity } from './describeActivity.ts'

/**
 * The picture of the token or NFT that a transaction moved, with the status or
 * direction at the corner.
 */
export function ActivityPicture(props: { activity: DescribedActivity; size?: number }) {
  const { main, icon, isPending, isLost } = props.activity
  return (
    <span className="gf-pair">
      <Artwork
        name={main.name}
        src={main.image}
        shape={main.isNft ? undefined : 'round'}
        size={props.size ?? 40}
      />
      <span className="gf-badge" data-kind={isLost ? 'bad' : undefined}>
        <Icon d={icon} size={16} spin={isPending} />
      </span>
    </span>
  )
}
