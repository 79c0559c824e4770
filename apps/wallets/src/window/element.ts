type Child = Node | string | false | undefined

/** Creates an element. `on…` attributes add listeners; `false` and `undefined` children are omitted. */
export function element<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  attributes: Record<string, string | boolean | undefined | ((event: Event) => void)> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[tag] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value)
    else if (value === true) node.setAttribute(name, '')
    else if (typeof value === 'string') node.setAttribute(name, value)
  }
  for (const child of children) if (child !== false && child !== undefined) node.append(child)
  return node
}

/** A line icon on a 20-unit grid, hidden from screen readers. */
export function icon(...paths: readonly string[]): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  for (const data of paths) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('d', data)
    svg.append(path)
  }
  return svg
}
