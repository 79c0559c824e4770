import { useEffect, useRef } from 'react'

/**
 * Loads the stylesheet of the configured font service without holding up the first paint.
 *
 * A sheet for another medium is fetched but not waited for. It is applied when it arrives; if it
 * never does, the bundled fonts stay, which have the same letters.
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
