import { CaipNetworkId } from '@gatefold/protocol'
import { smartAccountAbi, smartAccountContracts } from '@gatefold/protocol/frame'
import {
  concat,
  createClient,
  custom,
  defineChain,
  encodeFunctionData,
  encodePacked,
  hashMessage,
  hashTypedData,
  parseAbi,
  type Address,
  type Hex,
  type TypedDataDefinition,
} from 'viem'
import {
  entryPoint07Abi,
  toSmartAccount,
  type SmartAccountImplementation,
  type UserOperation,
} from 'viem/account-abstraction'
import { readContract } from 'viem/actions'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import type { SignRequest } from '../signer/operations.ts'
import { encodeCalls } from './encodeCalls.ts'
import { saltNonce, smartAccountOf, type Modules } from './smartAccountOf.ts'

/** Signs with the wallet's keys. The visitor must have approved the request. */
export type Sign = (request: SignRequest) => Promise<string>

export type SmartAccount = Awaited<ReturnType<typeof createSmartAccount>>

/**
 * The Unix times, in seconds, from and until which an operation is valid. Zero
 * means no limit: the paymaster's signature and the nonce already limit it.
 */
const validity = encodePacked(['uint48', 'uint48'], [0, 0])

/**
 * A dummy signature of the same length as a real one, so that gas estimates are
 * correct.
 */
const stubSignature = concat([validity, `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`])

/**
 * Creates the smart account of an owner as a viem smart account.
 *
 * @param options.sign - signs with the owner's key.
 * @see ERC-1271, ERC-4337, ERC-6492; docs/adr/0028-smart-accounts.md
 */
export async function createSmartAccount(options: {
  chain: ChainConfig
  modules: Modules
  owner: Address
  rpc: Rpc
  sign: Sign
}) {
  const { chain, modules, owner, rpc, sign } = options
  const chainId = Number(CaipNetworkId.parse(chain.id).reference)
  const { address, initializer } = smartAccountOf(owner, modules)
  const { factory, singleton } = smartAccountContracts
  const factoryData = encodeFunctionData({
    abi: parseAbi(smartAccountAbi),
    functionName: 'createProxyWithNonce',
    args: [singleton, initializer, saltNonce],
  })
  const client = createClient({
    chain: defineChain({
      id: chainId,
      name: chain.name,
      nativeCurrency: { name: chain.symbol, symbol: chain.symbol, decimals: chain.decimals },
      rpcUrls: { default: { http: [] } },
    }),
    transport: custom(
      { request: ({ method, params }) => rpc(chain.id, method as string, params) },
      { retryCount: 0 },
    ),
  })
  const entryPoint = {
    abi: entryPoint07Abi,
    address: smartAccountContracts.entryPoint,
    version: '0.7',
  } as const

  /**
   * Signs a hash for this account. The signature is valid for no other account,
   * chain or operation.
   */
  async function signHash(hash: Hex): Promise<Hex> {
    const data = {
      domain: { chainId, verifyingContract: address },
      types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
      primaryType: 'SafeMessage',
      message: { message: hash },
    } as const
    return (await sign({ kind: 'owner', data })) as Hex
  }

  return toSmartAccount<SmartAccountImplementation<typeof entryPoint07Abi, '0.7'>>({
    client,
    entryPoint,
    getAddress: () => Promise.resolve(address),
    getFactoryArgs: () => Promise.resolve({ factory, factoryData }),
    getNonce: () =>
      readContract(client, {
        abi: entryPoint07Abi,
        address: entryPoint.address,
        functionName: 'getNonce',
        args: [address, 0n],
      }),
    encodeCalls: (calls) =>
      Promise.resolve(
        encodeCalls(calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data }))),
      ),
    getStubSignature: () => Promise.resolve(stubSignature),
    signMessage: ({ message }) => signHash(hashMessage(message)),
    signTypedData: (data) => signHash(hashTypedData(data as TypedDataDefinition)),
    async signUserOperation(operation) {
      const data = operationData(
        { ...operation, sender: address },
        {
          chainId,
          module: modules.module,
        },
      )
      return concat([validity, (await sign({ kind: 'owner', data })) as Hex])
    },
  })
}

const operationFields = [
  { name: 'safe', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'initCode', type: 'bytes' },
  { name: 'callData', type: 'bytes' },
  { name: 'verificationGasLimit', type: 'uint128' },
  { name: 'callGasLimit', type: 'uint128' },
  { name: 'preVerificationGas', type: 'uint256' },
  { name: 'maxPriorityFeePerGas', type: 'uint128' },
  { name: 'maxFeePerGas', type: 'uint128' },
  { name: 'paymasterAndData', type: 'bytes' },
  { name: 'validAfter', type: 'uint48' },
  { name: 'validUntil', type: 'uint48' },
  { name: 'entryPoint', type: 'address' },
] as const

/**
 * What the owner signs for an operation: all its fields. @see Safe4337Module
 * 0.3.0, `SafeOp`
 */
function operationData(
  operation: UserOperation<'0.7'>,
  { chainId, module }: { chainId: number; module: Address },
): TypedDataDefinition {
  const { factory, factoryData = '0x', paymaster, paymasterData = '0x' } = operation
  return {
    domain: { chainId, verifyingContract: module },
    types: { SafeOp: operationFields },
    primaryType: 'SafeOp',
    message: {
      safe: operation.sender,
      nonce: operation.nonce,
      initCode: factory ? concat([factory, factoryData]) : '0x',
      callData: operation.callData,
      verificationGasLimit: operation.verificationGasLimit,
      callGasLimit: operation.callGasLimit,
      preVerificationGas: operation.preVerificationGas,
      maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
      maxFeePerGas: operation.maxFeePerGas,
      paymasterAndData: paymaster
        ? encodePacked(
            ['address', 'uint128', 'uint128', 'bytes'],
            [
              paymaster,
              operation.paymasterVerificationGasLimit ?? 0n,
              operation.paymasterPostOpGasLimit ?? 0n,
              paymasterData,
            ],
          )
        : '0x',
      validAfter: 0,
      validUntil: 0,
      entryPoint: smartAccountContracts.entryPoint,
    },
  }
}
