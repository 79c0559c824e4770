import { goBack, replace } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { clock } from '../../icons/base.ts'
import { book, globe } from '../../icons/guide.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { List, Row } from '../../parts/List.tsx'
import { useText } from '../../hooks/useText.ts'
import { networksText } from '../../strings/networks.ts'

const points = [
  ['ledger', book],
  ['own', globe],
  ['fee', clock],
] as const

/** Explains networks. */
export function WhatIsANetwork() {
  const kit = useInstance()
  const t = useText(networksText)
  const choose = () => {
    // If this is the only view in the history, the site opened it directly.
    if (kit.getState().view.history.length > 1) goBack(kit)
    else replace(kit, { name: 'Networks' })
  }
  return (
    <div className="gf-body">
      <List label={t('network.points')}>
        {points.map(([name, icon]) => (
          <Row
            key={name}
            start={<Artwork icon={icon} />}
            title={t(`network.${name}`)}
            note={t(`network.${name}Hint`)}
          />
        ))}
      </List>
      <Button kind="primary" onClick={choose}>
        {t('network.choose')}
      </Button>
    </div>
  )
}
