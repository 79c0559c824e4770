import { useEffect, useRef } from 'react'

/**
 * Loads the font service's stylesheet without blocking the first paint.
 *
 * A print stylesheet does not block rendering; it is switched to all media once loaded. Until then, or
 * if loading fails, the bundled fonts apply.
 */
export function FontService({ href }: { href: string }) {
  const link = useRef<HTMLLinkElement>(null)
  useEffect(() => {
    const sheet = link.current
    if (!sheet) return
    const apply = () => {
      sheet.media = 'all'
    }
    if (sheet.sheet) return apply()
    sheet.addEventListener('load', apply, { once: true })
    return () => sheet.removeEventListener('load', apply)
  }, [])
  return <link ref={link} rel="stylesheet" href={href} media="print" suppressHydrationWarning />
}
