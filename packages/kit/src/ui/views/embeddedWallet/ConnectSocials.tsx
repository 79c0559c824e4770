import { useInstance } from '../../../react/context.ts'
import { socialIcons } from '../../icons/embedded.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { LegalFooter } from '../../parts/Legal.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
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
            end={<RowChevron />}
            disabled={isLoggedIn}
            onClick={() => startSocial(kit, provider)}
          />
        ))}
      </List>
      <LegalFooter />
    </div>
  )
}
