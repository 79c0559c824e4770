import { push, reset } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance } from '../../../react/context.ts'
import { useCopy } from '../../hooks/useCopy.ts'
import { useShare } from '../../hooks/useShare.ts'
import { useText } from '../../hooks/useText.ts'
import { copy as copyIcon, share as shareIcon } from '../../icons/account.ts'
import { check } from '../../icons/base.ts'
import { qr } from '../../icons/code.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { Message } from '../../parts/Message.tsx'
import { Style } from '../../parts/Style.tsx'
import { namesText } from '../../strings/names.ts'
import css from '../../styles/names.css?inline'
import { useAddress } from './useZone.ts'

/**
 * The name that was registered.
 *
 * @see spec §4.10.1; docs/views.md#registeraccountnamesuccess
 */
export function RegisterAccountNameSuccess({
  data,
}: {
  data: ViewData['RegisterAccountNameSuccess']
}) {
  const kit = useInstance()
  const t = useText(namesText)
  const address = useAddress()
  const { name } = data
  const { copied, copy } = useCopy(t('names.copyFailed'))
  const { canShare, share } = useShare(t('names.shareFailed'))
  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-name-intro">
        <Avatar address={address} />
        <Message role="status" title={t('names.done', { name })}>
          {t('names.doneHint')}
        </Message>
      </div>
      <List label={name}>
        <Row
          start={<Artwork icon={copied ? check : copyIcon} />}
          title={t(copied ? 'names.copied' : 'names.copy')}
          onClick={() => copy(name)}
        />
        {canShare && (
          <Row
            start={<Artwork icon={shareIcon} />}
            title={t('names.share')}
            onClick={() => share(name)}
          />
        )}
        <Row
          start={<Artwork icon={qr} />}
          title={t('names.code')}
          end={<RowChevron />}
          onClick={() => push(kit, { name: 'WalletReceive' })}
        />
      </List>
      <Button kind="primary" onClick={() => reset(kit, { name: 'Account' })}>
        {t('names.doneButton')}
      </Button>
    </div>
  )
}

/** The name itself is the headline of the view. */
export function NoHeading() {
  return null
}
