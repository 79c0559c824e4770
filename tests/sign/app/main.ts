import { createSignClient, type SignClient } from '@gatefold/sign'

/** A page with an app's client and nothing else: what it loads is what such a client costs. */
function openApp(relayUrl: string, verifyUrl?: string) {
  const metadata = { name: 'App', description: '', url: location.origin, icons: [] }
  const client = createSignClient({ relayUrl, verifyUrl, metadata })
  window.app = { client, told: [] }
  for (const name of ['session_event', 'session_update', 'session_extend'] as const)
    client.on(name, () => void window.app.told.push(name))
  return client.ready()
}

declare global {
  interface Window {
    openApp: typeof openApp
    app: { client: SignClient; told: string[]; approval?: Promise<unknown> }
  }
}

window.openApp = openApp
