import type { FooterLink } from '../config.ts'
import { Icon, type IconName } from './Icon.tsx'

const icons: Record<FooterLink['kind'], IconName> = {
  join: 'chat',
  website: 'globe',
  follow: 'star',
}

/** The footer links. Hidden on small screens by the stylesheet (spec §1.6.2). */
export function Footer({ links }: { links: FooterLink[] }) {
  if (links.length === 0) return null
  return (
    <footer className="links">
      {links.map(({ kind, label, href }) => (
        <a key={kind} href={href} target="_blank" rel="noopener">
          <Icon name={icons[kind]} />
          {label}
        </a>
      ))}
    </footer>
  )
}
