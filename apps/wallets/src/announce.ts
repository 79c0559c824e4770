/** How a wallet introduces itself. @see https://eips.ethereum.org/EIPS/eip-6963 */
export type WalletInfo = { uuid: string; name: string; icon: `data:image/${string}`; rdns: string }

/**
 * Announces a provider now and whenever a page asks for it.
 *
 * @param target - where events meet; the page's `window` by default. Without one (plain Node)
 *   nothing is announced.
 * @returns stops answering.
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
  const say = () =>
    target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: frozen }))
  target.addEventListener('eip6963:requestProvider', say)
  say()
  return () => target.removeEventListener('eip6963:requestProvider', say)
}
