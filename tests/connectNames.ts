import {
  addresses,
  deployer,
  ensGatewayResolverAbi,
  gatefoldLocal,
  receiptOf,
  type Chain,
} from '@gatefold/chain'
import { createWalletClient, http, publicActions, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { names } from '../packages/server/src/cli/names.ts'
import { project } from '../packages/server/src/cli/project.ts'

/** The zone whose resolver on the local chain is a gateway resolver. */
const zone = 'offchain.eth'

/**
 * Makes the names that a server registers resolve on a local chain, as docs/gateway.md describes: sets the zone of the
 * default project, and the gateway of the resolver contract.
 */
export async function connectNames(options: {
  chain: Pick<Chain, 'url'>
  /** URL of the server. */
  url: string
  /** The server's environment. */
  env: Record<string, string | undefined>
}): Promise<void> {
  const { chain, url, env } = options
  await project(['set', 'default', '--zone', zone], { env, print: () => {} })
  const printed: string[] = []
  await names(['signer'], { env, print: (text) => printed.push(text) })
  const wallet = createWalletClient({
    account: privateKeyToAccount(deployer.privateKey),
    chain: gatefoldLocal(chain.url),
    transport: http(),
  }).extend(publicActions)
  const hash = await wallet.writeContract({
    address: addresses.ensGatewayResolver,
    abi: ensGatewayResolverAbi,
    functionName: 'setGateway',
    args: [[`${url}/v1/profile/ccip/{sender}/{data}.json`], printed[0] as Address],
  })
  await receiptOf(wallet, hash)
}
