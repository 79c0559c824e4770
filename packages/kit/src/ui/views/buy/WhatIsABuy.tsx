import { goBack, replace } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { buy, receive, user } from '../../icons/account.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { List, Row } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'

const points = [
  ['pay', buy],
  ['identity', user],
  ['receive', receive],
] as const

/** Explains on-ramps. */
export function WhatIsABuy() {
  const kit = useInstance()
  const t = useText(buyText)
  const leave = () => {
    // If this is the only view in the history, the site opened it directly.
    if (kit.getState().view.history.length > 1) goBack(kit)
    else replace(kit, { name: 'OnRampProviders' })
  }
  return (
    <div className="gf-body">
      <List label={t('buy.points')}>
        {points.map(([name, icon]) => (
          <Row
            key={name}
            start={<Artwork icon={icon} />}
            title={t(`buy.point.${name}`)}
            note={t(`buy.point.${name}Hint`)}
          />
        ))}
      </List>
      <Note>{t('buy.point.fee')}</Note>
      <Button onClick={leave}>{t('buy.gotIt')}</Button>
    </div>
  )
}
