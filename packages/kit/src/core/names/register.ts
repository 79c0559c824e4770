import { limits } from '@gatefold/protocol'
import { findLabelProblem, toCoinType } from '@gatefold/protocol/gateway'
import type { NameReasonCode, NameResponse } from '@gatefold/protocol/gateway'

import { featureNamespaces } from '../../data/featureNamespaces.ts'
import { current } from '../account/balance.ts'
import { getAccount } from '../connection/account.ts'
import type { FamilyParameters } from '../connection/account.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError, NotConnectedError } from '../kit/requestErrors.ts'
import {
  NameAccountChangedError,
  NameClockError,
  NameExpiredError,
  NameLabelError,
  NameSignatureError,
  NamesUnavailableError,
  NameTakenError,
  TooManyNamesError,
} from './errors.ts'
import { getNamesOf, getZone, requestNames } from './names.ts'
import type { Loose } from './names.ts'

/** A name with the signature that registers it. */
export type SignedName = {
  /** The name with its zone. */
  name: string
  /** The account that has signed. */
  address: string
  /** ENSIP-11 coin type of the network on which a contract account exists. */
  coinType: number
  /** The signed message: JSON text with the name and the time. */
  message: string
  /** The signature (EIP-191). */
  signature: string
}

/**
 * Registers a name for the active account, which signs a message. Costs no gas.
 *
 * @returns the name with its zone
 * @throws {NotConnectedError} no wallet is connected
 * @throws {NameLabelError | NamesUnavailableError} the name cannot be registered
 * @throws {UserRejectedError | SignMessageError} the visitor declined, or the wallet failed
 * @throws {NameTakenError | TooManyNamesError} another account has the name; this one has too many
 * @throws {NameExpiredError | NameClockError} the signature came too late, or the device's clock is wrong
 * @throws {NameSignatureError | NameAccountChangedError} another account signed, or is active now
 * @throws {GatewayError} the gateway failed
 * @example const name = await registerName(kit, { label: 'mira' })
 */
export async function registerName(kit: Kit, parameters: registerName.Parameters): Promise<string> {
  const signed = await signName(kit, parameters)
  return submitName(kit, signed, parameters.signal)
}

export declare namespace registerName {
  /** Which name. */
  type Parameters = FamilyParameters & {
    /** The name without its zone. */
    label: string
    /** Stops the registration: a signature that arrives later is not used. */
    signal?: AbortSignal | undefined
  }
}

/**
 * Requests the signature from the wallet. @throws the errors of `registerName`
 * that do not depend on other accounts
 */
export async function signName(kit: Kit, parameters: registerName.Parameters): Promise<SignedName> {
  const { namespace, signal } = parameters
  const label = parameters.label.toLowerCase()
  const problem = findLabelProblem(label)
  if (problem) throw new NameLabelError(label, problem)
  // Sites that migrate may read this message. See spec §8.4.
  if (!getAccount(kit.getState(), namespace))
    throw new NotConnectedError('Address or auth connector not found')
  const { account, network, adapter } = current(kit, namespace)
  const zone = featureNamespaces.names.includes(account.namespace) && (await getZone(kit, signal))
  if (!zone) throw new NamesUnavailableError()
  const { address } = account
  const name = `${label}.${zone}`
  const coinType = toCoinType(Number(network.id))
  const startedAt = Date.now()
  const timestamp = Math.floor(startedAt / 1000)
  const message = JSON.stringify({ name, attributes: {}, timestamp })
  const actions = await adapter.actions()
  const signature = await actions.signMessage({ message, address })
  signal?.throwIfAborted()
  if (getAccount(kit.getState(), account.namespace)?.address !== address)
    throw new NameAccountChangedError()
  if (Date.now() - startedAt > limits.nameMessageSeconds * 1000) throw new NameExpiredError()
  if (!/^0x([0-9a-f]{2})+$/i.test(signature)) throw new NameSignatureError(address)
  return { name, address, coinType, message, signature }
}

/**
 * Sends a signed name to the gateway. Can be repeated after a failure: if an earlier request registered the name
 * although its response was lost, this is a success.
 */
export async function submitName(
  kit: Kit,
  signed: SignedName,
  signal?: AbortSignal,
): Promise<string> {
  const { name, address, message, signature } = signed
  const body = { coin_type: signed.coinType, address, message, signature }
  try {
    const response: Loose<NameResponse> = await requestNames(
      kit,
      'account',
      { body, signal },
      `Error registering name ${name}`,
    )
    if (response.name !== name)
      throw new GatewayError('The gateway registered a name other than the requested one.')
    return name
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const reason = error.reason as NameReasonCode | undefined
    const isUnknown = error.status === undefined || error.status >= 500
    if (reason === 'name_taken' || isUnknown) {
      const own = await getNamesOf(kit, address, signal).catch((): readonly string[] => [])
      if (own.includes(name)) return name
    }
    throw toNameError(error, signed)
  }
}

function toNameError(cause: GatewayError, { name, address, message }: SignedName): Error {
  switch (cause.reason as NameReasonCode | undefined) {
    case 'name_taken':
    case 'name_reserved':
      return new NameTakenError(name, { cause })
    case 'too_many_names':
      return new TooManyNamesError({ cause })
    case 'wrong_signature':
      return new NameSignatureError(address, { cause })
    case 'stale_message': {
      // If this device's clock agrees that the message is old, it was sent
      // late; otherwise, the clocks differ.
      const { timestamp } = JSON.parse(message) as { timestamp: number }
      const age = Date.now() / 1000 - timestamp
      return age > limits.nameMessageSeconds
        ? new NameExpiredError()
        : new NameClockError({ cause })
    }
    default:
      return cause
  }
}
