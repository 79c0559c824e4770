import type { KeyValueStore } from '@gatefold/sign'
// #region app
import { createSignClient, PeerError } from '@gatefold/sign'

export async function connect(
  relayUrl: string,
  showCode: (uri: string) => void,
  storage?: KeyValueStore,
) {
  const client = createSignClient({
    relayUrl, // 'wss://gate.my.site'
    projectId: 'default',
    metadata: { name: 'My site', description: '…', url: 'https://my.site', icons: [] },
    storage, // omit it in a page, which then uses IndexedDB
  })
  const { uri, approval } = await client.connect({
    optionalNamespaces: {
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        methods: ['personal_sign', 'eth_sendTransaction'],
        events: ['accountsChanged', 'chainChanged'],
      },
    },
  })
  if (uri) showCode(uri) // available immediately, valid for four minutes
  const session = await approval()
  return { client, session }
}
// #endregion

export async function sign({ client, session }: Awaited<ReturnType<typeof connect>>) {
  // #region request
  const [account = ''] = session.namespaces['eip155']?.accounts ?? []
  const [family, chain, address] = account.split(':')
  try {
    return await client.request<string>({
      topic: session.topic,
      chainId: `${family}:${chain}`,
      request: { method: 'personal_sign', params: ['0x48656c6c6f', address] },
    })
  } catch (error) {
    if (error instanceof PeerError && error.reason.code === 5000) return undefined // the user rejected
    throw error
  }
  // #endregion
}

export async function restore(
  client: Awaited<ReturnType<typeof connect>>['client'],
  show: (answer: unknown) => void,
) {
  // #region restore
  await client.ready()
  const [session] = client.sessions()
  for (const { id } of client.pendingOutgoing()) client.resume({ id }).then(show, show)
  // #endregion
  return session
}
