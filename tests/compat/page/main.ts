import { SignClient } from 'sign-client-2.21.8'

/** The official client in a real page, pointed at our servers. */
const official = {
  /**
   * Proposes a session.
   *
   * @param options.verifyUrl - base of the verify service, with `/v3`
   * @param options.url - the client's `metadata.url`
   */
  async connect(options: { relayUrl: string; verifyUrl: string; projectId: string; url: string }) {
    const { relayUrl, verifyUrl, projectId, url } = options
    const client = await SignClient.init({
      relayUrl,
      projectId,
      logger: 'silent',
      telemetryEnabled: false,
      metadata: { name: 'App', description: 'App of a test', url, icons: [] },
    })
    // By default, the client would use this page's origin.
    Object.assign(client.metadata, { url })
    // The client has no option for this URL. @see
    // docs/contracts/relay.md#using-an-official-client-with-this-relay
    Object.assign(client.core.verify, { verifyUrlV3: verifyUrl })
    const start = performance.now()
    const { uri } = await client.connect({
      optionalNamespaces: {
        eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] },
      },
    })
    return { uri: uri!, tookMs: performance.now() - start }
  },
}

declare global {
  interface Window {
    official: typeof official
  }
}

window.official = official
