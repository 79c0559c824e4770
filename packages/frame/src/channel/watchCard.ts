/**
 * Watches the card that the frame shows.
 *
 * @param report - called with the height at which all of it can be seen, in CSS pixels; with `undefined` once nothing is
 * shown
 */
export function watchCard(root: Element, report: (height: number | undefined) => void): void {
  let last: number | undefined
  const update = () => {
    const card = root.firstElementChild
    const content = card?.querySelector('.content')
    const scroll = content?.parentElement
    const height =
      card && content && scroll
        ? Math.ceil(card.clientHeight - scroll.clientHeight + content.scrollHeight)
        : undefined
    if (height === last) return
    last = height
    report(height)
  }
  const sizes = new ResizeObserver(update)
  new MutationObserver(() => {
    sizes.disconnect()
    for (const element of root.querySelectorAll('.card, .content')) sizes.observe(element)
    update()
  }).observe(root, { childList: true, subtree: true })
}
