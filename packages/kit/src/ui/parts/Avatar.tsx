import { Artwork } from './Artwork.tsx'

/**
 * A person: the picture of their name, or four folded planes in neighbouring tones computed from the
 * address, so that the same address looks the same everywhere.
 *
 * @param props.size - in units
 */
export function Avatar(props: { address: string; src?: string | undefined; size?: number }) {
  const { address, src, size = 64 } = props
  return (
    <Artwork shape="round" size={size} src={src}>
      {src ? undefined : <Planes address={address} />}
    </Artwork>
  )
}

function Planes({ address }: { address: string }) {
  // FNV-1a: short addresses differ as much as long ones.
  let hash = 2166136261
  for (const char of address.toLowerCase())
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0
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
