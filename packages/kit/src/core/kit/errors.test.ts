import { BaseError } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'

import * as connectErrors from './errors.ts'
import * as requestErrors from './requestErrors.ts'
import * as kitErrors from './kitErrors.ts'

const errors = { ...connectErrors, ...requestErrors }

const cause = new TypeError('offline')

describe('an error has a stable name and code, a message and its cause', () => {
  test.each<[BaseError, string, string, string, unknown]>([
    [
      new errors.UserRejectedError({ cause }),
      'UserRejectedError',
      'wallet.user_rejected',
      'Connection rejected',
      cause,
    ],
    [
      new errors.ConnectError({ cause }),
      'ConnectError',
      'wallet.connect_failed',
      'Failed to connect',
      cause,
    ],
    [
      new errors.ConnectExpiredError({ cause }),
      'ConnectExpiredError',
      'wallet.connect_expired',
      'The connection request expired',
      cause,
    ],
    [
      new errors.DisconnectError({ cause }),
      'DisconnectError',
      'wallet.disconnect_failed',
      'Failed to disconnect',
      cause,
    ],
    [
      new errors.ChainNotSupportedError({ cause }),
      'ChainNotSupportedError',
      'chain.not_supported',
      'Chain is not supported',
      cause,
    ],
    [
      new errors.NetworkNotFoundError(),
      'NetworkNotFoundError',
      'chain.not_found',
      'Network not found',
      undefined,
    ],
    [
      new errors.LastNetworkError({ networkId: 1 }),
      'LastNetworkError',
      'chain.last',
      'The network 1 cannot be removed, because it is the only one',
      undefined,
    ],
    [
      new errors.WrongHashError(),
      'WrongHashError',
      'wallet.wrong_hash',
      'The wallet did not return the hash of a new transaction',
      undefined,
    ],
    [
      new errors.AdapterNotFoundError('solana'),
      'AdapterNotFoundError',
      'adapter.not_found',
      "Adapter for namespace solana doesn't exist",
      undefined,
    ],
    [
      new errors.AlreadyConnectedError('Nacre'),
      'AlreadyConnectedError',
      'wallet.already_connected',
      'Nacre is already connected',
      undefined,
    ],
    [
      new errors.ProviderNotFoundError({ cause }),
      'ProviderNotFoundError',
      'wallet.provider_not_found',
      'Provider not found.',
      cause,
    ],
    [
      new errors.UnsupportedOperationError('signing', { cause }),
      'UnsupportedOperationError',
      'wallet.unsupported_operation',
      'The wallet does not support signing',
      cause,
    ],
    [
      new errors.SignMessageError('Denied', { cause }),
      'SignMessageError',
      'wallet.sign_failed',
      'Denied',
      cause,
    ],
    [
      new errors.TransactionError('Reverted', { cause }),
      'TransactionError',
      'chain.transaction_failed',
      'Reverted',
      cause,
    ],
    [
      new errors.WalletRequestError('Denied', { cause }),
      'WalletRequestError',
      'wallet.request_failed',
      'Denied',
      cause,
    ],
    [
      new errors.GatewayError('Not Found', { status: 404, cause }),
      'GatewayError',
      'gateway.failed',
      'Not Found',
      cause,
    ],
    [
      new kitErrors.ModalClosedError(),
      'ModalClosedError',
      'modal.closed',
      'Modal closed',
      undefined,
    ],
    [
      new kitErrors.OptionsError('`x` is missing', { code: 'options.x' }),
      'OptionsError',
      'options.x',
      '`x` is missing',
      undefined,
    ],
    [
      new kitErrors.DestroyedError(),
      'DestroyedError',
      'kit.destroyed',
      'This Gatefold instance was destroyed',
      undefined,
    ],
    [
      new errors.NotConnectedError(),
      'NotConnectedError',
      'wallet.not_connected',
      'No wallet is connected',
      undefined,
    ],
  ])('%s', (error, name, code, shortMessage, origin) => {
    expect(error).toBeInstanceOf(BaseError)
    expect(error).toMatchObject({ name, code, shortMessage })
    expect(error.cause).toBe(origin)
  })
})

test('a more specific code and details replace the defaults', () => {
  expect(
    new errors.ConnectError({ code: 'wallet.no_account', details: 'No account.' }),
  ).toMatchObject({ code: 'wallet.no_account', details: 'No account.' })
  expect(new errors.TransactionError('Reverted', { details: 'Paused.' }).details).toBe('Paused.')
  expect(new errors.UserRejectedError({ request: 'Signature' }).shortMessage).toBe(
    'Signature rejected',
  )
  expect(new errors.GatewayError('Not Found', { status: 404 }).status).toBe(404)
  expect(new errors.GatewayError('Invalid').status).toBeUndefined()
  expect(new errors.GatewayError('Invalid', { field: 'origin', reason: 'no_route' })).toMatchObject(
    {
      field: 'origin',
      reason: 'no_route',
    },
  )
  expect(new errors.NotConnectedError('No account').shortMessage).toBe('No account')
})

test('§8.4 a wallet’s message is part of the error of a failed disconnection', () => {
  expect(new errors.DisconnectError({ message: 'Locked' }).shortMessage).toBe(
    'Failed to disconnect chains: Locked',
  )
})

test('an error that the developer can resolve names the value or the option', () => {
  expect(new errors.NetworkNotFoundError({ networkId: 'eip155:9' }).message).toContain('eip155:9')
  expect(new errors.NetworkNotFoundError().metaMessages).toEqual([])
  expect(new errors.AdapterNotFoundError('solana').message).toContain('createGatefold')
  expect(new errors.NotConnectedError().message).toContain('open()')
  expect(new errors.LastNetworkError({ networkId: 1 }).message).toContain('Add another network')
  expect(new errors.WrongHashError().message).toContain('Check the wallet')
})
