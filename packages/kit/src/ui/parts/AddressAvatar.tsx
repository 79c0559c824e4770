import { hashOf } from '../hooks/hashOf.ts'

/**
 * The avatar that the kit derives from an address, for accounts without a picture: four triangles in neighboring
 * hues. An SVG without a size; the site clips it to a circle.
 *
 * @example <span className="avatar"><AddressAvatar address={address} /></span>
 */
export function AddressAvatar({
  address,
}: {
  /** The address, in any case. */
  address: string
}) {
  const hash = hashOf(address.toLowerCase())
  const hue = hash % 360
  const x = 14 + ((hash >>> 9) % 12)
  const y = 14 + ((hash >>> 14) % 12)
  const step = 14 + ((hash >>> 19) % 18)
  const tone = (lightness: number, turn: number) =>
    `oklch(${lightness} 0.1 ${(hue + turn * step) % 360})`
  return (
    <svg viewBox="0 0 40 40" aria-hidden>
      <path d={`M0 0h40L${x} ${y}z`} fill={tone(0.86, 0)} />
      <path d={`M40 0v40L${x} ${y}z`} fill={tone(0.7, 1)} />
      <path d={`M40 40H0L${x} ${y}z`} fill={tone(0.5, 2)} />
      <path d={`M0 40V0L${x} ${y}z`} fill={tone(0.64, 3)} />
    </svg>
  )
}
