import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestClient, http, pad, toHex, type Address, type Hex, type LocalAccount } from 'viem'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'

const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const keyRegistry = '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'

/** Code of a contract that returns the number stored for an address: `idOf(address)`. */
const idRegistryCode = '0x6004355460005260206000f3'
/** Code of a contract that returns whether an address has been added for an account, and as which type of key: `keyDataOf(uint256, bytes)`. */
const keyRegistryCode = '0x606435548060801c60205260801b60801c6004351460005260406000f3'

type Request = { siweUri: string; domain: string; nonce: string; expirationTime?: string }
type Channel = { token: string; request: Request; completed?: Record<string, unknown> }

export type Farcaster = {
  /** The entry `farcaster` of `GATEFOLD_SOCIALS`. */
  settings: { relayUrl: string; chain: string; idRegistry: Address; keyRegistry: Address }
  /** Stores an account with its custody address, or with an address that signs in for it. */
  register(fid: number, address: Address, kind?: 'custody' | 'auth' | 'signer'): Promise<void>
  /**
   * Confirms a login as the app of an account does.
   *
   * @param url - of the QR code
   * @param options.change - wrong values for fields that the app signs
   */
  confirm(
    url: string,
    options: {
      fid: number
      account: LocalAccount
      username?: string
      change?: Partial<SiweMessage>
    },
  ): Promise<{ message: string; signature: Hex }>
  /** The link of the most recent login. */
  lastUrl(): string | undefined
  /** Sends an existing message and signature. */
  send(url: string, signed: { message: string; signature: Hex }): void
  stop(): Promise<void>
}

/**
 * Starts a local relay with the documented interface of Farcaster's relay, and
 * replaces Farcaster's registries by contracts on a local chain.
 *
 * @see https://docs.farcaster.xyz/auth-kit/client/app/create-channel
 */
export async function startFarcaster(chain: { url: string; chainId: number }): Promise<Farcaster> {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  await node.setCode({ address: idRegistry, bytecode: idRegistryCode })
  await node.setCode({ address: keyRegistry, bytecode: keyRegistryCode })

  const channels = new Map<string, Channel>()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relayUrl = `http://localhost:${(server.address() as AddressInfo).port}`

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { method, url } = request
    if (method === 'POST' && url === '/v1/channel') {
      const body = JSON.parse(await text(request)) as Request
      const token = randomBytes(8).toString('hex')
      channels.set(token, { token, request: body })
      const { nonce } = body
      return json(response, { channelToken: token, url: linkOf(token), nonce }, 201)
    }
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const channel = channels.get(token ?? '')
    if (method !== 'GET' || url !== '/v1/channel/status' || !channel)
      return json(response, { error: 'Unauthorized' }, 401)
    const { nonce } = channel.request
    const state = channel.completed ? 'completed' : 'pending'
    json(response, { state, nonce, ...channel.completed }, channel.completed ? 200 : 202)
  }

  const linkOf = (token: string) => `https://farcaster.xyz/~/siwf?channelToken=${token}`
  const channelOf = (url: string) => channels.get(new URL(url).searchParams.get('channelToken')!)!

  return {
    settings: { relayUrl, chain: `eip155:${chain.chainId}`, idRegistry, keyRegistry },
    async register(fid, address, kind = 'custody') {
      await node.setStorageAt({
        address: kind === 'custody' ? idRegistry : keyRegistry,
        index: pad(address),
        value: pad(toHex(keyTypes[kind] * 2n ** 128n + BigInt(fid))),
      })
    },
    async confirm(url, { fid, account, username, change }) {
      const channel = channelOf(url)
      const { domain, siweUri, nonce, expirationTime } = channel.request
      const message = createSiweMessage({
        address: account.address,
        chainId: 10,
        domain,
        uri: siweUri,
        nonce,
        version: '1',
        statement: 'Farcaster Auth',
        issuedAt: new Date(),
        ...(expirationTime !== undefined && { expirationTime: new Date(expirationTime) }),
        resources: [`farcaster://fid/${fid}`],
        ...change,
      })
      const signature = await account.signMessage({ message })
      channel.completed = { message, signature, authMethod: 'custody', fid, username }
      return { message, signature }
    },
    lastUrl: () => {
      const last = [...channels.keys()].at(-1)
      return last && linkOf(last)
    },
    send(url, signed) {
      channelOf(url).completed = { ...signed, authMethod: 'custody' }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The types of keys in the registry. */
const keyTypes = { custody: 0n, signer: 1n, auth: 2n } as const

function json(response: ServerResponse, body: unknown, status: number) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
