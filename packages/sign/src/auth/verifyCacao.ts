import { splitDidPkh } from '@gatefold/protocol'
import * as AbiParameters from 'ox/AbiParameters'
import { SignatureErc6492 } from 'ox/erc6492'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import { findUnmetTerm, grantedChains } from './terms.ts'
import { formatAuthMessage } from './message.ts'
import { recoverAddress } from './recoverAddress.ts'
import type { AuthPayload, Cacao } from '../Session.ts'
import type { Clock, SignClientOptions } from '../SignClient.ts'

/** If `ethCall` does not resolve within this time, the contract wallet's signature counts as invalid. */
const callTimeoutMs = 5_000

/** Gas limit of each call (10 million), because the call runs code of a contract that may be hostile. */
const callGas = '0x989680'

/** The result of the ERC-6492 validator for a valid signature. */
const valid = '0x01'

/**
 * Verifies a signed authorization: its fields match the request, and the account signed it. Checks an
 * EIP-191 signature first, then calls the account's contract on each granted chain. ERC-6492 covers
 * ERC-1271 and contracts that are not deployed yet.
 *
 * @see EIP-191, ERC-1271, ERC-6492; docs/contracts/relay.md#client-methods; spec §4.18.1
 */
export async function verifyCacao(
  cacao: Cacao,
  options: {
    requested: AuthPayload
    clock: Clock
    ethCall: SignClientOptions['ethCall']
  },
): Promise<boolean> {
  if (findUnmetTerm(cacao, options.requested, options.clock.now())) return false
  const { address = '' } = splitDidPkh(cacao.p.iss) ?? {}
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return false
  // Encoded as bytes, because EIP-191 prefixes the length in bytes, not in characters.
  const message = Hex.fromString(formatAuthMessage(cacao.p, cacao.p.iss))
  const hash = PersonalMessage.getSignPayload(message)
  const signature = cacao.s.s as Hex.Hex
  if (signature.length === 132 && recoverAddress(hash, signature) === address.toLowerCase())
    return true
  if (!options.ethCall) return false
  const data = encodeValidation({ address: address as Hex.Hex, hash, signature })
  const { ethCall, clock } = options
  // A contract with this address on one chain proves nothing about another chain.
  const results = await Promise.all(
    (grantedChains(cacao.p) ?? []).map((chainId) =>
      withTimeout(() => ethCall({ chainId, data, gas: callGas }), clock),
    ),
  )
  return results.every((result) => String(result).toLowerCase() === valid)
}

/** Encodes the ERC-6492 validator with its arguments, for an `eth_call` without `to`: nothing is deployed. */
function encodeValidation(of: { address: Hex.Hex; hash: Hex.Hex; signature: Hex.Hex }): string {
  const parameters = AbiParameters.encode(AbiParameters.from('address, bytes32, bytes'), [
    of.address,
    of.hash,
    of.signature,
  ])
  return Hex.concat(SignatureErc6492.universalSignatureValidatorBytecode, parameters)
}

async function withTimeout(call: () => Promise<unknown>, clock: Clock): Promise<unknown> {
  let stop = () => {}
  const late = new Promise<undefined>((resolve) => {
    stop = clock.later(() => resolve(undefined), callTimeoutMs)
  })
  try {
    return await Promise.race([call(), late])
  } catch {
    // Reverted, or no node responded: the signature is not proven.
    return undefined
  } finally {
    stop()
  }
}
