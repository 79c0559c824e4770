import { push } from '../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { useText } from '../hooks/useText.ts'
import { key } from '../icons/base.ts'
import { book, globe } from '../icons/guide.ts'
import { Artwork } from '../parts/Artwork.tsx'
import { Button } from '../parts/Button.tsx'
import { FacingPages } from '../parts/FacingPages.tsx'
import { hasInstalledWallet } from '../../core/wallets/hasInstalledWallet.ts'
import { guideText } from '../strings/guide.ts'

const points = [
  ['key', key],
  ['home', book],
  ['yours', globe],
] as const

/** The page on the right until the visitor chooses a wallet: what a wallet is and does, and how to get one. */
export function Guide() {
  const kit = useInstance()
  const t = useText(guideText)
  const installed = useKitState(hasInstalledWallet)
  const { metadata } = kit.options
  return (
    <div className="gf-guide">
      <FacingPages
        state="on"
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={{ name: t('guide.yourWallet'), icon: key }}
      />
      <p className="gf-guide-lead">{t('guide.lead')}</p>
      <ul aria-label={t('guide.points')}>
        {points.map(([name, icon]) => (
          <li key={name}>
            <Artwork icon={icon} />
            <span>
              <b>{t(`guide.${name}`)}</b>
              <small>{t(`guide.${name}Hint`)}</small>
            </span>
          </li>
        ))}
      </ul>
      <Button
        kind={installed ? undefined : 'primary'}
        onClick={() => push(kit, { name: 'GetWallet' })}
      >
        {t('guide.getWallet')}
      </Button>
    </div>
  )
}
