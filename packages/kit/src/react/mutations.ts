import { useMutation } from '@tanstack/react-query'
import type { UseMutationResult } from '@tanstack/react-query'

import type { Receipt } from '../core/connection/Adapter.ts'
import type {
  resolveName,
  sendTransaction,
  signMessage,
  signTypedData,
  waitForReceipt,
} from '../core/account/sign.ts'
import type { disconnect } from '../core/connection/disconnect.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import type { registerName } from '../core/names/register.ts'
import { useKitContext } from './context.ts'
import { useRefreshNames } from './nameCheck.ts'

const sign = () => import('../core/account/sign.ts')

/**
 * Signs a message with the active account. The mutation resolves with the signature.
 *
 * @example
 * const { mutate, data, isPending } = useKitSignMessage()
 * return <button onClick={() => mutate({ message: 'Hello' })}>Sign</button>
 */
export function useKitSignMessage(): UseMutationResult<string, Error, signMessage.Parameters> {
  return useAction((kit, parameters) => sign().then((run) => run.signMessage(kit, parameters)))
}

/** Signs typed data (EIP-712) with the active account. The mutation resolves with the signature. */
export function useKitSignTypedData(): UseMutationResult<string, Error, signTypedData.Parameters> {
  return useAction((kit, parameters) => sign().then((run) => run.signTypedData(kit, parameters)))
}

/**
 * Sends a transaction from the active account. The mutation resolves with the transaction's hash.
 *
 * @example
 * const { mutateAsync: send } = useKitSend()
 * const { mutateAsync: receiptOf } = useKitReceipt()
 * const onClick = async () => {
 *   const hash = await send({ to: '0x…', value: 10n ** 16n })
 *   const { status } = await receiptOf({ hash })
 * }
 */
export function useKitSend(): UseMutationResult<string, Error, sendTransaction.Parameters> {
  return useAction((kit, parameters) => sign().then((run) => run.sendTransaction(kit, parameters)))
}

/** Waits for a transaction. The mutation resolves with the receipt once the transaction is in a block. */
export function useKitReceipt(): UseMutationResult<Receipt, Error, waitForReceipt.Parameters> {
  return useAction((kit, parameters) => sign().then((run) => run.waitForReceipt(kit, parameters)))
}

/** Resolves a name, such as an ENS name. The mutation resolves with the address; undefined if the name has none. */
export function useKitResolveName(): UseMutationResult<
  string | undefined,
  Error,
  resolveName.Parameters
> {
  return useAction((kit, parameters) => sign().then((run) => run.resolveName(kit, parameters)))
}

/**
 * Registers a name for the active account. The mutation resolves with the name and its zone; `useKitIdentity` then has
 * it.
 *
 * @example
 * const { mutate, isPending } = useKitRegisterName()
 * return <button onClick={() => mutate({ label: 'mira' })}>Register</button>
 */
export function useKitRegisterName(): UseMutationResult<string, Error, registerName.Parameters> {
  const { kit, queryClient } = useKitContext()
  const refresh = useRefreshNames()
  return useMutation(
    {
      mutationFn: async (parameters: registerName.Parameters) => {
        const { registerName: register } = await import('../core/names/register.ts')
        return register(kit, parameters)
      },
      onSettled: refresh,
    },
    queryClient,
  )
}

/**
 * Disconnects one connector or, without one, every wallet.
 *
 * @example
 * const { mutate: disconnect } = useKitDisconnect()
 * return <button onClick={() => disconnect()}>Disconnect</button>
 */
export function useKitDisconnect(): UseMutationResult<void, Error, disconnect.Parameters | void> {
  return useAction((kit, parameters) =>
    import('../core/connection/disconnect.ts').then((run) =>
      run.disconnect(kit, parameters ?? undefined),
    ),
  )
}

/** Creates a TanStack mutation in the provider's query client. */
export function useAction<parameters, result>(
  run: (kit: KitInstance, parameters: parameters) => Promise<result>,
) {
  const { kit, queryClient } = useKitContext()
  return useMutation({ mutationFn: (parameters: parameters) => run(kit, parameters) }, queryClient)
}
