import { push } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { dots } from '../../icons/account.ts'
import { socialIcons } from '../../icons/embedded.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import css from '../../styles/embedded.css?inline'
import { startSocial, useSocials } from './socials.ts'
import { socialNames } from './socialNames.ts'
import { useIsLoggedIn } from './useEmbedded.ts'

/** How many logins are shown without the list of all. @see docs/views.md#social-logins */
const maxShown = 6
/** Number of tiles below the first login if not all logins fit. */
const tilesBeforeMore = 4

/**
 * The social logins in the connect view: the first as a button, the others as
 * tiles.
 *
 * @see docs/views.md#social-logins; spec §4.8, §6.7
 */
export function SocialBlock() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const socials = useSocials()
  const isLoggedIn = useIsLoggedIn()
  const [first, ...others] = socials
  if (!first) return null
  const hasMore = socials.length > maxShown
  const tiles = socials.length === 2 ? socials : hasMore ? others.slice(0, tilesBeforeMore) : others
  return (
    <div className="gf-section" role="group" aria-label={t('embedded.socials')}>
      <Style css={css} />
      {socials.length !== 2 && (
        <Button
          icon={socialIcons[first] ?? dots}
          disabled={isLoggedIn}
          onClick={() => startSocial(kit, first)}
        >
          {t('embedded.continueWith', { provider: socialNames[first]! })}
        </Button>
      )}
      {tiles.length > 0 && (
        <div className="gf-socials">
          {tiles.map((provider) => (
            <button
              key={provider}
              type="button"
              className="gf-button"
              disabled={isLoggedIn}
              aria-label={t('embedded.continueWith', { provider: socialNames[provider]! })}
              onClick={() => startSocial(kit, provider)}
            >
              <Icon d={socialIcons[provider]!} />
            </button>
          ))}
          {hasMore && (
            <button
              type="button"
              className="gf-button"
              aria-label={t('embedded.more')}
              onClick={() => push(kit, { name: 'ConnectSocials' })}
            >
              <Icon d={dots} />
            </button>
          )}
        </div>
      )}
    </div>
  )
}
