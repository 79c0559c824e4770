import { signTypedData } from '../../account/sign.ts'
import { current } from '../../account/balance.ts'
import { capability } from '../../connection/Adapter.ts'
import type { PermitTerms } from '../../connection/Adapter.ts'
import { UserRejectedError } from '../../kit/errors.ts'
import type { Kit } from '../../kit/Kit.ts'
import { PermitSignerError } from './errors.ts'
import type { SwapPair } from './quote.ts'

/** A permit that the visitor has signed instead of an approval. */
export type SignedPermit = {
  /** Until when it can be used, in seconds since 1970. */
  deadline: number
  /** The signature, 65 bytes. */
  signature: string
}

/** The fields of a permit. @see ERC-2612 */
const fields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

/**
 * Reads the domain and nonce for a permit of the order.
 *
 * @returns undefined if an approval is needed instead, because the token does
 *   not support permits or the account cannot sign one
 */
export async function readPermit(
  kit: Kit,
  { pay, account }: Pick<SwapPair, 'pay'> & { account: string },
): Promise<PermitTerms | undefined> {
  if (!pay.permit || !pay.address) return undefined
  const { adapter } = current(kit, pay.network.chainNamespace)
  const swaps = await capability(adapter, 'swaps', 'readPermit')
  return swaps.readPermit({ token: pay.address, owner: account, network: pay.network })
}

/**
 * Requests a signature of a permit for exactly the order's amount. The kit
 * builds the permit itself, not the gateway.
 *
 * @param order.deadline - how many minutes the permit is valid
 * @returns undefined if the wallet does not sign typed data, or signs it with a contract
 * @throws {UserRejectedError} the visitor declined
 * @throws {PermitSignerError} another account's key has signed
 */
export async function signPermit(
  kit: Kit,
  order: SwapPair & { account: string; deadline: number },
  spender: string,
  { domain, nonce }: PermitTerms,
): Promise<SignedPermit | undefined> {
  const deadline = Math.floor(Date.now() / 1000) + order.deadline * 60
  const { account: owner, amount: value, pay } = order
  const message = { owner, spender, value, nonce, deadline: BigInt(deadline) }
  const typedData = { domain, types: { Permit: fields }, primaryType: 'Permit', message }
  const namespace = pay.network.chainNamespace
  let signature: string
  try {
    signature = await signTypedData(kit, { namespace, typedData })
  } catch (error) {
    if (error instanceof UserRejectedError) throw error
    return undefined
  }
  if (!isOfKey(signature)) return undefined
  const { adapter } = current(kit, namespace)
  const swaps = await capability(adapter, 'swaps', 'isSigner')
  if (!(await swaps.isSigner({ account: owner, typedData, signature })))
    throw new PermitSignerError()
  return { deadline, signature }
}

/**
 * Whether a signature has the form of a key's signature. Signatures of
 * contracts have other lengths.
 */
function isOfKey(signature: string): signature is `0x${string}` {
  return /^0x[0-9a-f]{130}$/i.test(signature)
}
