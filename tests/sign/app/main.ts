import { createSignClient, type SignClient } from '@gatefold/sign'

/** A page that contains only an app's client, so that its size can be measured. */
function openApp(relayUrl: string, verifyUrl?: string) {
  const metadata = { name: 'App', description: '', url: location.origin, icons: [] }
  const client = createSignClient({ relayUrl, verifyUrl, metadata })
  window.app = { client, emitted: [] }
  for (const name of ['session_event', 'session_update', 'session_extend'] as const)
    client.on(name, () => void window.app.emitted.push(name))
  return client.ready()
}

declare global {
  interface Window {
    openApp: typeof openApp
    app: { client: SignClient; emitted: string[]; approval?: Promise<unknown> }
  }
}

window.openApp = openApp
