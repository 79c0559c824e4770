/** Minimum length of an account name, in characters. @see §9.6.1 */
export const nameMinLength = 4
/** @see §9.7.2 */
export const defaultSocials = [
  'google',
  'x',
  'farcaster',
  'discord',
  'apple',
  'github',
  'facebook',
] as const
/** @see §9.7.3 */
export const defaultWalletFeatures = ['onramp', 'swaps', 'receive', 'send'] as const
/** @see §9.8.2 */
export const defaultChainId = 1
/** The official SDK version whose contract the kit implements. @see §9.11.2 */
export const sdkVersion = '1.7.15'
