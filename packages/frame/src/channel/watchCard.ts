import type { CardKind } from '@gatefold/protocol/frame'

/**
 * Watches the card that the frame shows.
 *
 * @param root - its attribute `data-kind` is the purpose of the card
 * @param report - called with the purpose of the card, and the height in CSS
 *   pixels at which the whole card is visible; with `undefined` once no card is
 *   shown
 */
export function watchCard(
  root: Element,
  report: (height: number | undefined, kind: CardKind) => void,
): void {
  let last: string | undefined
  const update = () => {
    const card = root.firstElementChild
    const content = card?.querySelector('.content')
    const scroll = content?.parentElement
    const height =
      card && content && scroll
        ? Math.ceil(card.clientHeight - scroll.clientHeight + content.scrollHeight)
        : undefined
    const kind = (root.getAttribute('data-kind') ?? 'approval') as CardKind
    const next = height === undefined ? undefined : `${height} ${kind}`
    if (next === last) return
    last = next
    report(height, kind)
  }
  const sizes = new ResizeObserver(update)
  new MutationObserver(() => {
    sizes.disconnect()
    for (const element of root.querySelectorAll('.card, .content')) sizes.observe(element)
    update()
  }).observe(root, { childList: true, subtree: true })
}
