import type { KeyValueStore } from '@gatefold/sign'
// #region wallet
import {
  buildApprovedNamespaces,
  createSignClient,
  getReason,
  type SignEvents,
} from '@gatefold/sign'

/** The wallet's UI and keys. */
type Wallet = {
  account: string // CAIP-10: 'eip155:1:0x…'
  confirm: (question: { app: string; isScam: boolean; method?: string }) => Promise<boolean>
  sign: (method: string, params: unknown) => Promise<string>
  showError: (error: unknown) => void
}

export function startWallet(relayUrl: string, wallet: Wallet, storage?: KeyValueStore) {
  const client = createSignClient({
    relayUrl,
    verifyUrl: 'https://gate.my.site/v3',
    metadata: { name: 'My wallet', description: '…', url: 'https://my.wallet', icons: [] },
    storage,
  })
  const supported = {
    eip155: {
      accounts: [wallet.account],
      methods: ['personal_sign'],
      events: ['accountsChanged'],
    },
  }

  async function onProposal({ id, params, verifyContext }: SignEvents['session_proposal']) {
    const { isScam = false } = verifyContext.verified
    if (!(await wallet.confirm({ app: params.proposer.metadata.name, isScam })))
      return client.reject({ id, reason: getReason('USER_REJECTED') })
    const namespaces = buildApprovedNamespaces({ proposal: params, supported })
    await client.approve({ id, namespaces })
  }

  async function onRequest({ id, topic, params, verifyContext }: SignEvents['session_request']) {
    const { origin: app, isScam = false } = verifyContext.verified
    const { method, params: requestParams } = params.request
    const answer = (await wallet.confirm({ app, isScam, method }))
      ? { result: await wallet.sign(method, requestParams) }
      : { error: getReason('USER_REJECTED') }
    await client.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } })
  }

  client.on('session_proposal', (event) => void onProposal(event).catch(wallet.showError))
  client.on('session_request', (event) => void onRequest(event).catch(wallet.showError))
  return client // call client.pair({ uri }) with a scanned URI
}
// #endregion
