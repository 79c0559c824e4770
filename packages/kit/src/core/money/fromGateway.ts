/** Single-line text without invisible characters, which could reverse or hide what follows. */
export function textOf(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return ''
  return value
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, maxLength)
}

/** A page requests pictures from the gateway only: a token chooses its own picture, and could learn who holds it. */
export function imageOf(value: unknown, gateway: string | undefined): string | undefined {
  if (typeof value !== 'string' || value === '' || !gateway) return undefined
  if (!URL.canParse(value, gateway)) return undefined
  const url = new URL(value, gateway)
  return url.origin === new URL(gateway).origin ? url.href : undefined
}

/** Maximum length of a token's name and symbol; the rest is cut off. */
export const maxText = { name: 60, symbol: 20 }
