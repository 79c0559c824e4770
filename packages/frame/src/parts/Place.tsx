/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'

/** The first line of everything that the frame shows: its origin, so that the visitor can recognize the place. */
export function Place({ site, children }: { site: string; children?: ComponentChildren }) {
  return (
    <p class="place">
      <span>
        <Icon name="lock" /> Secure frame
      </span>
      <b dir="ltr">{new URL(site).host}</b>
      {children}
    </p>
  )
}
