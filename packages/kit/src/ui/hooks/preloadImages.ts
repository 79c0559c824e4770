import { limits } from '@gatefold/protocol'

/**
 * Loads the first images of a page of wallets. Resolves once each has loaded or failed, or after a timeout.
 *
 * @see spec §9.2
 */
export async function preloadImages(urls: readonly string[]): Promise<void> {
  const loads = urls.slice(0, limits.imagePrefetchCount).map((url) => {
    const image = new Image()
    image.src = url
    return image.decode()
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, limits.imagePreloadTimeoutMs)
  })
  await Promise.race([Promise.allSettled(loads), timeout])
  clearTimeout(timer)
}
