import type { Account } from './wallet.ts'

/** The account's avatar, or a pattern derived from its address. */
export function Avatar({ account }: { account: Pick<Account, 'address' | 'avatar'> }) {
  if (account.avatar) return <img className="avatar" src={account.avatar} alt="" />
  const hue = Number.parseInt(account.address.slice(2, 8), 16) % 360
  const vertexX = 14 + (Number.parseInt(account.address.slice(8, 10), 16) % 12)
  const tone = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 46% ${light}%)`
  return (
    <svg className="avatar" viewBox="0 0 40 40" aria-hidden="true">
      <path fill={tone(0, 62)} d="M0 0h40v40H0z" />
      <path fill={tone(14, 76)} d={`M0 0h19L${vertexX} 24 0 34z`} />
      <path fill={tone(6, 68)} d={`M19 0h21v18L${vertexX} 24z`} />
      <path fill={tone(348, 44)} d={`M40 18v22H27L${vertexX} 24z`} />
      <path fill={tone(356, 54)} d={`M0 34 ${vertexX} 24 27 40H0z`} />
    </svg>
  )
}
