import { createRequire } from 'node:module'
import { type Address, type Hex, parseTransaction } from 'viem'
import { readArtifact } from './compile.ts'
import type { Workshop } from './workshop.ts'

/** Safe 1.4.1, with the same addresses as on the public chains. */
const known = {
  safe: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  safeFallbackHandler: '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
  safeL2: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
  safeMultiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  safeMultiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  safeProxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
} as const

/**
 * The ERC-4337 module 0.3.0 and its setup contract. The package's bytecode differs from the public
 * deployment, so the addresses differ too, and clients have to configure them.
 */
const module4337 = {
  safe4337Module: '0xDBE027F6a41aF5cFF83799669348079d574FaeCE',
  safeModuleSetup: '0x179D495Ba379Ec6eE559cbeDD4511FA52976a02A',
} as const

const salt = `0x${'0'.repeat(64)}` as const

/**
 * Deploys the Safe by CREATE2 through its singleton factory, like the official scripts.
 *
 * @param entryPoint - entry point of the ERC-4337 module, version 0.7
 */
export async function deploySafe(workshop: Workshop, entryPoint: Address) {
  const factory = await deploySingletonFactory(workshop)
  const deployAt = (path: string, expected: Address, args: readonly unknown[] = []) =>
    workshop.deployWithSalt(artifactOf(path), salt, expected, { factory, args })

  const core = 'safe-contracts/build/artifacts/contracts'
  await deployAt(`${core}/Safe.sol`, known.safe)
  await deployAt(`${core}/SafeL2.sol`, known.safeL2)
  await deployAt(`${core}/proxies/SafeProxyFactory.sol`, known.safeProxyFactory)
  await deployAt(`${core}/libraries/MultiSend.sol`, known.safeMultiSend)
  await deployAt(`${core}/libraries/MultiSendCallOnly.sol`, known.safeMultiSendCallOnly)
  await deployAt(`${core}/handler/CompatibilityFallbackHandler.sol`, known.safeFallbackHandler)

  const extension = 'safe-4337/build/artifacts/contracts'
  await deployAt(`${extension}/Safe4337Module.sol`, module4337.safe4337Module, [entryPoint])
  await deployAt(`${extension}/SafeModuleSetup.sol`, module4337.safeModuleSetup)
  return { ...known, ...module4337, safeSingletonFactory: factory }
}

/**
 * The factory is published as a signed transaction, which is valid only on chain 31337. The factory's
 * address depends on the signer and its first nonce, so the same data is sent from an impersonated
 * signer on both chains.
 */
function deploySingletonFactory({ deployAs }: Workshop): Promise<Address> {
  const require = createRequire(import.meta.url)
  const { signerAddress, transaction } =
    require('@safe-global/safe-singleton-factory/artifacts/31337/deployment.json') as {
      signerAddress: Address
      transaction: Hex
    }
  const { data } = parseTransaction(transaction)
  if (!data) throw new Error('The transaction of the singleton factory has no code.')
  return deployAs(signerAddress, { abi: [], bytecode: data })
}

/** The contract with the same name as its source file. */
function artifactOf(path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.sol'.length)
  return readArtifact(`@safe-global/${path}/${name}.json`)
}
