import { useInstance } from '../../../react/context.ts'
import { chevron } from '../../icons/base.ts'
import { socialIcons } from '../../icons/embedded.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LegalFooter } from '../../parts/Legal.tsx'
import { List, Row } from '../../parts/List.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { startSocial, useSocials } from './socials.ts'
import { socialNames } from './socialNames.ts'
import { useIsLoggedIn } from './useEmbedded.ts'

/** All social logins. */
export function ConnectSocials() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const isLoggedIn = useIsLoggedIn()
  return (
    <div className="gf-body">
      <List label={t('embedded.socials')}>
        {useSocials().map((provider) => (
          <Row
            key={provider}
            start={<Artwork icon={socialIcons[provider]} />}
            title={socialNames[provider]}
            end={
              <span className="gf-row-end">
                <Icon d={chevron} size={16} flip />
              </span>
            }
            disabled={isLoggedIn}
            onClick={() => startSocial(kit, provider)}
          />
        ))}
      </List>
      <LegalFooter />
    </div>
  )
}
