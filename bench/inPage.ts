/**
 * Runs in the measured page before its scripts. Installs a wallet that responds immediately, and a
 * stopwatch. The function is self-contained, because its source text is passed to the page.
 */
export function inPage(): void {
  const stopwatch = {
    clicked: 0,
    requested: 0,
    /** Resolves with the time from the next click until the text is painted in a matching element, in ms. */
    untilPainted(selector: string, text: string): Promise<number> {
      return new Promise((resolve) => {
        const isShown = () =>
          [...document.querySelectorAll<HTMLElement>(selector)].some(
            (element) => element.textContent?.includes(text) && element.checkVisibility(),
          )
        const check = () => {
          if (!stopwatch.clicked || !isShown()) return requestAnimationFrame(check)
          // This callback runs before the frame is painted. The message is delivered after the paint.
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => {
            channel.port1.close()
            resolve(performance.now() - stopwatch.clicked)
          })
          channel.port1.start()
          return channel.port2.postMessage(0)
        }
        stopwatch.clicked = 0
        requestAnimationFrame(check)
      })
    },
  }
  addEventListener(
    'click',
    () => {
      stopwatch.clicked = performance.now()
      stopwatch.requested = 0
    },
    { capture: true },
  )

  let permitted = false
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const provider = {
    async request({ method }: { method: string }): Promise<unknown> {
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions')
        stopwatch.requested ||= performance.now() - stopwatch.clicked
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions')
        permitted = true
      if (method === 'wallet_requestPermissions')
        return [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: [address] }],
          },
        ]
      if (method === 'eth_requestAccounts' || method === 'eth_accounts')
        return permitted ? [address] : []
      if (method === 'eth_chainId') return '0x1'
      return null
    },
    on() {},
    removeListener() {},
  }
  const announce = () =>
    dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: Object.freeze({
          info: {
            uuid: '350670db-19fa-4704-a166-e52e178b59d2',
            name: 'Bench Wallet',
            rdns: 'dev.gatefold.bench',
            icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
          },
          provider,
        }),
      }),
    )
  addEventListener('eip6963:requestProvider', announce)
  announce()
  Object.assign(globalThis, { stopwatch })
}
