import { push } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { key, mark } from '../../icons/base.ts'
import { book, globe } from '../../icons/guide.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row } from '../../parts/List.tsx'
import { useText } from '../../hooks/useText.ts'
import { guideText } from '../../strings/guide.ts'

const points = [
  ['key', key],
  ['home', book],
  ['yours', globe],
] as const

/** Explains wallets. */
export function WhatIsAWallet() {
  const kit = useInstance()
  const t = useText(guideText)
  const branding = useKitState((state) => state.features.reownBranding)
  return (
    <div className="gf-body">
      <List label={t('guide.points')}>
        {points.map(([name, icon]) => (
          <Row
            key={name}
            start={<Artwork icon={icon} />}
            title={t(`guide.${name}`)}
            note={t(`guide.${name}Hint`)}
          />
        ))}
      </List>
      <Button kind="primary" onClick={() => push(kit, { name: 'GetWallet' })}>
        {t('guide.getWallet')}
      </Button>
      {branding && (
        <div className="gf-branding">
          <Icon d={mark} size={16} />
          Gatefold
        </div>
      )}
    </div>
  )
}
