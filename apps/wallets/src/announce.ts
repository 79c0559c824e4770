/** A wallet's EIP-6963 metadata. @see https://eips.ethereum.org/EIPS/eip-6963 */
export type WalletInfo = { uuid: string; name: string; icon: `data:image/${string}`; rdns: string }

/**
 * Announces a provider now and on every `eip6963:requestProvider`.
 *
 * @param target - `window` by default. Without one (in Node), nothing is announced.
 * @returns a function that stops announcing.
 */
export function announce(
  detail: { info: WalletInfo; provider: unknown },
  target: EventTarget | undefined = globalThis.window,
): () => void {
  if (!target) return () => undefined
  const frozen = Object.freeze({
    info: Object.freeze({ ...detail.info }),
    provider: detail.provider,
  })
  const dispatch = () =>
    target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: frozen }))
  target.addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
  return () => target.removeEventListener('eip6963:requestProvider', dispatch)
}
