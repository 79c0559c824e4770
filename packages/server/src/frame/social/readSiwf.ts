import {
  encodeAbiParameters,
  hashMessage,
  isAddress,
  isHex,
  parseAbi,
  recoverAddress,
  type Address,
  type Client,
} from 'viem'
import { readContract } from 'viem/actions'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import { isSignedByContract } from '../../money/names/checkSignature.ts'

/**
 * The chain in the text of every Farcaster sign-in, regardless of the
 * contracts' chain.
 */
const messageChainId = 10
/** `KeyState.ADDED` and the type of keys that sign in, in the registry of keys. */
const addedState = 1
const authKeyType = 2

const idRegistryAbi = parseAbi(['function idOf(address owner) view returns (uint256 fid)'])
const keyRegistryAbi = parseAbi([
  'struct KeyData { uint8 state; uint32 keyType; }',
  'function keyDataOf(uint256 fid, bytes key) view returns (KeyData)',
])

/**
 * Verifies a sign-in with Farcaster: the text is for this site and this login, its address has signed it, and the
 * address is that of the Farcaster account (custody) or one that signs in for it (auth address).
 *
 * @param expected.nonce - of the login; valid once.
 * @returns the account's number, or `undefined` if the sign-in is not valid.
 * @throws if the chain does not respond.
 * @see ERC-4361; https://docs.farcaster.xyz/developers/siwf
 */
export async function readSiwf(
  signed: { message: string; signature: string },
  expected: {
    client: Client
    idRegistry: Address
    keyRegistry: Address
    domain: string
    uri: string
    nonce: string
    time: Date
  },
): Promise<bigint | undefined> {
  const { client, idRegistry, keyRegistry, domain, nonce, time, uri } = expected
  const { message: text, signature } = signed
  const message = parseSiweMessage(text)
  const { address, chainId, statement } = message
  if (!validateSiweMessage({ message, domain, nonce, time })) return undefined
  if (message.uri !== uri || chainId !== messageChainId || statement !== 'Farcaster Auth')
    return undefined
  const [fid, ...others] = (message.resources ?? []).flatMap(
    (resource) => /^farcaster:\/\/fid\/([1-9]\d{0,19})$/.exec(resource)?.[1] ?? [],
  )
  if (fid === undefined || others.length > 0) return undefined
  if (!address || !isAddress(address) || !isHex(signature)) return undefined
  const hash = hashMessage(text)
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
  if (signer !== address && !(await isSignedByContract(client, { address, hash, signature })))
    return undefined
  const owned = await readContract(client, {
    address: idRegistry,
    abi: idRegistryAbi,
    functionName: 'idOf',
    args: [address],
  })
  if (owned === BigInt(fid)) return owned
  const key = await readContract(client, {
    address: keyRegistry,
    abi: keyRegistryAbi,
    functionName: 'keyDataOf',
    args: [BigInt(fid), encodeAbiParameters([{ type: 'address' }], [address])],
  })
  const isAuthAddress = key.state === addedState && key.keyType === authKeyType
  return isAuthAddress ? BigInt(fid) : undefined
}
