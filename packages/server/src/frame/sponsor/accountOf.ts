import {
  smartAccountAbi,
  smartAccountCodeHash,
  smartAccountContracts,
} from '@gatefold/protocol/frame'
import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'

const abi = parseAbi(smartAccountAbi)

/** The smart account of an owner: its address, and the call of the factory that creates it. */
export function accountOf(
  owner: Address,
  { module, setup }: { module: Address; setup: Address },
): { address: Address; factoryData: Hex } {
  const initializer = encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [
      [owner],
      1n,
      setup,
      encodeFunctionData({ abi, functionName: 'enableModules', args: [[module]] }),
      module,
      zeroAddress,
      0n,
      zeroAddress,
    ],
  })
  const salt = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [keccak256(initializer), 0n]),
  )
  const { factory, singleton } = smartAccountContracts
  return {
    address: getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt,
      bytecodeHash: smartAccountCodeHash,
    }),
    factoryData: encodeFunctionData({
      abi,
      functionName: 'createProxyWithNonce',
      args: [singleton, initializer, 0n],
    }),
  }
}
