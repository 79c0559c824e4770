import { CaipNetworkId } from '@gatefold/protocol'
import { createSignClient } from '@gatefold/sign'
import type { Namespaces, PendingRequest, Proposal } from '@gatefold/sign'
import { demoAccounts } from '@gatefold/wallets/testing'
import { createWalletClient, http, isHex } from 'viem'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A mobile wallet: the wallet side of the protocol, with real keys for the local chains. */
export type Phone = Awaited<ReturnType<typeof createPhone>>

export type PhoneOptions = {
  relayUrl: string
  /** RPC URLs by chain id. */
  chains: Record<number, string>
  name?: string
  /** The wallet's session config, such as `disableDeepLink`. */
  sessionConfig?: Record<string, unknown>
  /** Returns the namespaces to grant. */
  grant?: (proposal: Proposal, accounts: readonly Address[]) => Namespaces
}

/**
 * @param options.grant - by default, grants all proposed chains that the wallet supports, with both
 * accounts
 */
export async function createPhone(options: PhoneOptions) {
  const { chains, name = 'Orrery', sessionConfig } = options
  const client = createSignClient({
    relayUrl: options.relayUrl,
    metadata: { name, description: '', url: 'https://orrery.example', icons: [] },
    storagePrefix: `phone-${crypto.randomUUID()}`,
  })
  const accounts = demoAccounts(0, 1).map((key) => privateKeyToAccount(key))
  const addresses = accounts.map(({ address }) => address)
  const grant = options.grant ?? grantOf(Object.keys(chains))
  const log: string[] = []
  let answerRequest: (request: PendingRequest) => unknown = answer
  let proposals: ((proposal: Proposal) => void) | undefined
  const waiting: Proposal[] = []

  client.on('session_proposal', ({ params }) => {
    if (proposals) proposals(params)
    else waiting.push(params)
  })
  client.on('session_request', (request) => void respond(request))

  async function respond(request: PendingRequest): Promise<void> {
    const { id, topic, params } = request
    log.push(`${params.chainId} ${params.request.method}`)
    try {
      const result = await answerRequest(request)
      await client.respond({ topic, response: { id, jsonrpc: '2.0', result } })
    } catch (error) {
      const { code, message } = error as { code?: number; message: string }
      await client.respond({
        topic,
        response: { id, jsonrpc: '2.0', error: { code: code ?? -32000, message } },
      })
    }
  }

  async function answer({ params: { chainId, request } }: PendingRequest): Promise<unknown> {
    const params = request.params as readonly unknown[]
    const account = accounts.find(({ address }) =>
      JSON.stringify(params).toLowerCase().includes(address.toLowerCase()),
    )
    if (request.method === 'personal_sign' && account)
      return account.signMessage({ message: { raw: params[0] as Hex } })
    if (request.method === 'eth_sendTransaction' && account) {
      const { to, value, data, gas } = params[0] as Record<string, string | undefined>
      const transport = http(chains[Number(CaipNetworkId.split(chainId)?.reference)])
      return createWalletClient({ account, transport }).sendTransaction({
        chain: null,
        to: to as Address,
        ...(isHex(data) && { data }),
        ...(value && { value: BigInt(value) }),
        ...(gas && { gas: BigInt(gas) }),
      })
    }
    throw Object.assign(new Error(`No ${request.method}`), { code: -32601 })
  }

  return {
    client,
    addresses,
    /** The received requests, as `eip155:1 personal_sign`. */
    log,
    /**
     * Sets the function that answers later requests. To reject a request, the function throws an
     * error with a `code`.
     */
    answerWith(next: typeof answerRequest | undefined) {
      answerRequest = next ?? answer
    },
    /** Pairs with a URI and waits for the proposal. */
    async scan(uri: string): Promise<Proposal> {
      await client.pair({ uri })
      const proposal =
        waiting.shift() ?? (await new Promise<Proposal>((resolve) => (proposals = resolve)))
      proposals = undefined
      return proposal
    },
    async approve(proposal: Proposal, namespaces = grant(proposal, addresses)) {
      const { topic, acknowledged } = await client.approve({
        id: proposal.id,
        namespaces,
        sessionConfig,
      })
      await acknowledged()
      return topic
    },
    reject: (proposal: Proposal, code = 5000) =>
      client.reject({ id: proposal.id, reason: { code, message: 'User rejected.' } }),
    close: () => client.close(),
  }
}

/**
 * Creates a `grant` function. It grants the proposed EVM chains among `chainIds`, and the proposed
 * methods except those in `without`.
 */
export function grantOf(chainIds: readonly string[], without: readonly string[] = []) {
  return (proposal: Proposal, addresses: readonly string[]): Namespaces => {
    const proposed = proposal.optionalNamespaces.eip155
    const chains = (proposed?.chains ?? []).filter((chain) =>
      chainIds.includes(CaipNetworkId.split(chain)?.reference ?? ''),
    )
    return {
      eip155: {
        chains,
        accounts: chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
        methods: (proposed?.methods ?? []).filter((method) => !without.includes(method)),
        events: proposed?.events ?? [],
      },
    }
  }
}
