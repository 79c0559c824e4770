import {
  type Abi,
  type Account,
  type Address,
  type Hex,
  concat,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployer } from '../src/accounts.ts'
import { gatefoldLocal } from '../src/chains.ts'
import type { Artifact } from './compile.ts'

export type Workshop = ReturnType<typeof createWorkshop>

type Call = {
  to: Address
  abi?: Abi
  functionName?: string
  args?: readonly unknown[]
  value?: bigint
  from?: Account
}

/** The deterministic deployer, predeployed by anvil. Deploys creation code with CREATE2 and a given salt. */
const deterministicDeployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Creates deployment helpers for a fresh anvil. They throw if a transaction fails. */
export function createWorkshop(url: string, chainId: number) {
  const client = createTestClient({
    mode: 'anvil',
    chain: { ...gatefoldLocal(url), id: chainId },
    transport: http(url),
    pollingInterval: 2,
  })
    .extend(publicActions)
    .extend(walletActions)
  const owner = privateKeyToAccount(deployer.privateKey)

  async function confirm(hash: Hex) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} failed.`)
    return receipt
  }

  /** Sends a call, from the deployer by default. */
  async function send({ to, abi, functionName, args, value = 0n, from = owner }: Call) {
    const data = abi && encodeFunctionData({ abi, functionName, args })
    return confirm(await client.sendTransaction({ account: from, to, data, value }))
  }

  /** Deploys with CREATE, so that the address depends on the deployer's nonce. */
  async function deploy(artifact: Artifact, args: readonly unknown[] = []): Promise<Address> {
    const data = creationCode(artifact, args)
    const receipt = await confirm(await client.sendTransaction({ account: owner, data }))
    if (!receipt.contractAddress) throw new Error('Nothing was deployed.')
    return receipt.contractAddress
  }

  /**
   * Deploys with CREATE2, like the public deployments of the entry points and the Safe.
   *
   * @param options.factory - the deterministic deployer by default
   */
  async function deployWithSalt(
    artifact: Artifact,
    salt: Hex,
    expected: Address,
    options: { args?: readonly unknown[]; factory?: Address } = {},
  ) {
    const { args = [], factory = deterministicDeployer } = options
    await confirm(
      await client.sendTransaction({
        account: owner,
        to: factory,
        data: concat([salt, creationCode(artifact, args)]),
      }),
    )
    return verify(expected)
  }

  /** Deploys from `creator` with nonce 0, as on the public chains. */
  async function deployAs(creator: Address, artifact: Artifact) {
    const expected = getContractAddress({ from: creator, nonce: 0n })
    await client.setBalance({ address: creator, value: 10n ** 18n })
    await client.impersonateAccount({ address: creator })
    await confirm(await client.sendTransaction({ account: creator, data: artifact.bytecode }))
    await client.stopImpersonatingAccount({ address: creator })
    await client.setBalance({ address: creator, value: 0n })
    return verify(expected)
  }

  /**
   * Places a contract at a given address, such as its address on the public chains.
   *
   * Sets the creation code as the code of that address and calls it, so that the constructor runs at that
   * address. The result becomes the final code; storage and created contracts are kept.
   */
  async function place(artifact: Artifact, address: Address, args: readonly unknown[] = []) {
    await client.setNonce({ address, nonce: 1 })
    await client.setCode({ address, bytecode: creationCode(artifact, args) })
    const { data: code } = await client.call({ account: owner, to: address })
    if (!code) throw new Error(`The constructor for ${address} returned nothing.`)
    await send({ to: address })
    await client.setCode({ address, bytecode: code })
    return verify(address)
  }

  async function verify(address: Address): Promise<Address> {
    const code = await client.getCode({ address })
    if (!code) throw new Error(`There is no code at ${address}.`)
    return address
  }

  return { client, owner, send, deploy, deployWithSalt, deployAs, place }
}

function creationCode({ abi, bytecode }: Artifact, args: readonly unknown[]): Hex {
  return encodeDeployData({ abi, bytecode, args })
}
