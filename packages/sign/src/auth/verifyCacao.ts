import { findUnmetTerm } from './terms.ts'
import { formatAuthMessage } from './message.ts'
import type { AuthPayload, Cacao } from '../Session.ts'
import type { Clock, SignClientOptions } from '../SignClient.ts'

/** A node that does not answer in time verifies nothing. */
const callTimeoutMs = 5_000

/** What every valid answer of the validator is. */
const valid = '0x01'

/**
 * Whether a signed authorization holds: it says what was asked, now, and the account signed it. A key's
 * own signature first, then what a contract says: ERC-6492 covers ERC-1271 and wallets yet to be deployed.
 *
 * @param options.asked - What was asked for; every field must be what it was.
 * @see EIP-191, ERC-1271, ERC-6492; contract of the relay, 4.2; spec §4.18.1
 */
export async function verifyCacao(
  cacao: Cacao,
  options: {
    asked: AuthPayload
    clock: Clock
    ethCall: SignClientOptions['ethCall']
  },
): Promise<boolean> {
  if (findUnmetTerm(cacao, options.asked, options.clock.now())) return false
  const [address = '', reference = '', namespace = ''] = cacao.p.iss.split(':').toReversed()
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return false
  const hash = await hashMessage(formatAuthMessage(cacao.p, cacao.p.iss))
  const signature = cacao.s.s as `0x${string}`
  if (signature.length === 132 && (await recover(hash, signature)) === address.toLowerCase())
    return true
  if (!options.ethCall) return false
  const data = await encodeValidation({ address: address as `0x${string}`, hash, signature })
  const call = options.ethCall({ chainId: `${namespace}:${reference}`, data })
  return (await inTime(call, options.clock))?.toLowerCase() === valid
}

/** EIP-191: the length counts bytes. */
async function hashMessage(text: string): Promise<`0x${string}`> {
  const { PersonalMessage, Hex } = await import('ox')
  return PersonalMessage.getSignPayload(Hex.fromString(text))
}

/** @returns the address in lower case; undefined when it is no signature. */
async function recover(hash: `0x${string}`, signature: `0x${string}`) {
  const { Secp256k1, Signature } = await import('ox')
  try {
    const address = Secp256k1.recoverAddress({
      payload: hash,
      signature: Signature.fromHex(signature),
    })
    return address.toLowerCase()
  } catch {
    // Not a point, or not a number on the curve: a contract may still take it.
    return undefined
  }
}

/** The validator of ERC-6492 as a call without a receiver: it is never deployed. */
async function encodeValidation(of: {
  address: `0x${string}`
  hash: `0x${string}`
  signature: `0x${string}`
}): Promise<string> {
  const [{ AbiParameters }, { SignatureErc6492 }] = await Promise.all([
    import('ox'),
    import('ox/erc6492'),
  ])
  const parameters = AbiParameters.encode(AbiParameters.from('address, bytes32, bytes'), [
    of.address,
    of.hash,
    of.signature,
  ])
  return `${SignatureErc6492.universalSignatureValidatorBytecode}${parameters.slice(2)}`
}

async function inTime(call: Promise<string>, clock: Clock): Promise<string | undefined> {
  let stop = () => {}
  const late = new Promise<undefined>((resolve) => {
    stop = clock.later(() => resolve(undefined), callTimeoutMs)
  })
  try {
    return await Promise.race([call, late])
  } catch {
    // Reverted, or no node answered: nothing is proven.
    return undefined
  } finally {
    stop()
  }
}
