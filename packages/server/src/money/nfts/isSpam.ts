const call =
  /\b(?:airdrops?|claim|claimed|free mint|giveaway|redeem|rewards?|vouchers?|winner|whitelist)\b/i
const link =
  /https?:|\bwww\.|\b[a-z\d-]{2,}\.(?:app|cc|click|club|co|com|fi|fun|gift|info|io|live|me|net|online|org|pro|site|top|vip|website|xyz)\b/i

/**
 * Whether the texts of an NFT look like advertising: links and calls to claim
 * something, which real names rarely have. A description may contain one of
 * these, but not both.
 */
export function isSpam(texts: { name: string; collection: string; description?: string }): boolean {
  const { name, collection, description = '' } = texts
  const title = `${name}\n${collection}`
  return link.test(title) || call.test(title) || (link.test(description) && call.test(description))
}
