import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  recoverAddress,
  type Address,
  type Client,
  type Hex,
} from 'viem'
import { call } from 'viem/actions'
import { charge, type HttpContext } from '../../http/access.ts'
import type { Project } from '../../storage/projects.ts'
import type { MoneyContext } from '../context.ts'
import { isExecutionFailure } from '../evm/errors.ts'
import { refuse } from '../requests.ts'

/**
 * Gas of the call that checks a contract's signature. A WebAuthn signature
 * takes less than a million, and a Safe that is not deployed yet about half of
 * one; without a limit, a contract could use all gas that the node allows.
 */
const signatureGas = 5_000_000
/**
 * Cost of that call in rate-limit tokens, in addition to the cost of the
 * request.
 */
const contractSignatureCost = 45

const wrong = { field: 'signature', code: 'wrong_signature' } as const

/**
 * The signer of the message: `''` for a key, otherwise the CAIP-2 id of the
 * chain whose contract at the address signs.
 */
type Signer = string

/**
 * Determines how an address signed a message (EIP-191): with its key, or as a
 * contract that approves the signature (ERC-1271), which need not be deployed
 * yet (ERC-6492).
 *
 * @param options.chain - CAIP-2 id of the chain of the contract; `''` if only a key may sign.
 * @returns the signer, or the response that refuses the request.
 */
export async function checkSignature(
  context: MoneyContext,
  options: {
    c: HttpContext
    project: Project
    address: Address
    message: string
    signature: Hex
    chain: string
  },
): Promise<Signer | Response> {
  const { c, project, address, message, signature, chain } = options
  const hash = hashMessage(message)
  const recovered = await recoverAddress({ hash, signature }).catch(() => undefined)
  if (recovered?.toLowerCase() === address.toLowerCase()) return ''
  const reason = `the signature of the message is not by ${address}`
  const evmChain = context.evmChains.get(chain)
  if (!evmChain) {
    const more = `; the server cannot check contracts on ${chain}`
    return refuse(401, { ...wrong, description: reason + (chain ? more : '') })
  }
  const limited = charge(context, c, project, contractSignatureCost)
  if (limited) return limited
  const isValid = await isSignedByContract(evmChain.client, { address, hash, signature })
  return isValid ? chain : refuse(401, { ...wrong, description: reason })
}

/**
 * Whether a contract approves a signature (ERC-1271), even if the contract is
 * not deployed yet (ERC-6492).
 *
 * @throws if the chain does not respond.
 */
export async function isSignedByContract(
  client: Client,
  { address, hash, signature }: { address: Address; hash: Hex; signature: Hex },
): Promise<boolean> {
  return call(client, {
    data: encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [address, hash, signature],
    }),
    gas: BigInt(signatureGas),
  }).then(
    ({ data = '' }) => /^0x0*1$/.test(data),
    (error: unknown) => {
      if (isExecutionFailure(error)) return false
      throw error
    },
  )
}
