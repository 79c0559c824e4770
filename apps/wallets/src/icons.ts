import type { WalletInfo } from './announce.ts'

/** Halyard's icon: a sail and its halyard. */
export const halyardIcon = toDataUri(
  `<rect width='40' height='40' fill='#1E3A5F'/>
<path d='M20 7v26' stroke='#F4E9D8' stroke-width='2'/>
<path d='M22 9c6 3 9 8 9.5 15H22z' fill='#F4E9D8'/>
<path d='M18 13c-4 3-7 7-8 11h8z' fill='#E0764F'/>
<path d='M9 29c3 2 6 2 11 0 5-2 8-2 11 0' fill='none' stroke='#F4E9D8' stroke-width='2'/>`,
)

/** Nacre's icon: a pearl. */
export const nacreIcon = toDataUri(
  `<rect width='40' height='40' fill='#E9DFF0'/>
<circle cx='20' cy='20' r='12' fill='#B9A2D1'/>
<path d='M20 8a12 12 0 0 1 0 24 9 9 0 0 1 0-24z' fill='#8E73B3'/>
<path d='M20 8a12 12 0 0 1 0 24 16 16 0 0 0 0-24z' fill='#F7F2FA'/>`,
)

function toDataUri(drawing: string): WalletInfo['icon'] {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'>${drawing.replaceAll('\n', '')}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
