/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { frameText } from '../strings/frame.ts'
import { useText } from '../strings/useText.ts'
import { Icon } from './Icon.tsx'

/**
 * The first line of everything that the frame shows: its origin, by which the
 * visitor can recognize it.
 */
export function Place({ site, children }: { site: string; children?: ComponentChildren }) {
  const t = useText(frameText)
  return (
    <p class="place">
      <span>
        <Icon name="lock" /> {t('frame.secure')}
      </span>
      <b dir="ltr">{new URL(site).host}</b>
      {children}
    </p>
  )
}
