import { shortAddress } from '../../../core/account/shortAddress.ts'
import { push, reset } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { send, user } from '../../icons/account.ts'
import { gift } from '../../icons/names.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { List, Row } from '../../parts/List.tsx'
import { Message } from '../../parts/Message.tsx'
import { Style } from '../../parts/Style.tsx'
import { namesText } from '../../strings/names.ts'
import css from '../../styles/names.css?inline'
import { NoZone } from './NoZone.tsx'
import { useAddress, useZone } from './useZone.ts'

/**
 * Explains the use of a name.
 *
 * @see docs/views.md#chooseaccountname
 */
export function ChooseAccountName() {
  const kit = useInstance()
  const t = useText(namesText)
  const zone = useZone()
  const address = useAddress()
  if (zone.status === 'loading' || zone.status === 'failed')
    return <NoZone zone={zone} heights={[151, 168, 48]} />
  const own = zone.status === 'ready' ? zone.own : undefined
  const canRegister = zone.status === 'ready' && !own
  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-name-intro">
        <Avatar address={address} />
        {zone.status === 'none' ? (
          <Message title={t('names.none')}>{t('names.noneHint')}</Message>
        ) : (
          <Message title={own ? t('names.done', { name: own }) : t('names.intro')}>
            {t('names.introHint', {
              name: own ?? `${t('names.placeholder')}.${zone.zone}`,
              address: shortAddress(address),
            })}
          </Message>
        )}
      </div>
      {zone.status === 'ready' && (
        <List label={t('names.intro')}>
          <Row start={<Artwork icon={user} />} title={t('names.shown')} />
          <Row start={<Artwork icon={send} />} title={t('names.sendTo')} />
          <Row start={<Artwork icon={gift} />} title={t('names.free')} />
        </List>
      )}
      {canRegister ? (
        <Button kind="primary" onClick={() => push(kit, { name: 'RegisterAccountName' })}>
          {t('names.continue')}
        </Button>
      ) : (
        <Button kind="primary" onClick={() => reset(kit, { name: 'Account' })}>
          {t('names.toAccount')}
        </Button>
      )}
    </div>
  )
}
