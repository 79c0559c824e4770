import type { ResolvedOptions } from './options.ts'

const warned = new Set<string>()

/**
 * Warns if the options of a server-rendered page prevent the server from rendering the account, or make the
 * browser restore it before hydration. Called when a component is rendered on a server or hydrated.
 */
export function checkRendering(options: ResolvedOptions): void {
  // Node uses this module in production too.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  if (process?.env?.['NODE_ENV'] === 'production') return
  const { storage } = options
  if (!options.ssr)
    warn(
      'This page is rendered on a server, but its kit has no `ssr: true`. Add it to the options of createGatefold, so that wallets are restored after hydration.',
    )
  else if (storage && Object.hasOwn(storage, 'getServerItem') && !storage.getServerItem)
    warn(
      '`cookieStorage()` was called without the cookie of the request, so the server renders every visitor as disconnected. Create the kit in a component, with `useState(() => createGatefold({ …, storage: cookieStorage(cookie) }))`, and pass that component `gatefoldCookie(…)` from the server.',
    )
}

function warn(text: string) {
  if (warned.has(text)) return
  warned.add(text)
  // oxlint-disable-next-line no-console -- the message is for the site's developer
  console.warn(`Gatefold: ${text} See docs/frameworks.md.`)
}
