import { useMutation } from '@tanstack/react-query'

import type { KitInstance } from '../core/kit/Kit.ts'
import { useKitContext } from './context.ts'

const sign = () => import('../core/account/sign.ts')
type Sign = Awaited<ReturnType<typeof sign>>

/** A mutation: `mutateAsync({ message })` resolves with the signature. */
export function useSignMessage() {
  return useAction((kit, parameters: Parameters<Sign['signMessage']>[1]) =>
    sign().then(({ signMessage }) => signMessage(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ typedData })` resolves with the signature. */
export function useSignTypedData() {
  return useAction((kit, parameters: Parameters<Sign['signTypedData']>[1]) =>
    sign().then(({ signTypedData }) => signTypedData(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ to, value })` resolves with the transaction hash. */
export function useSend() {
  return useAction((kit, parameters: Parameters<Sign['sendTransaction']>[1]) =>
    sign().then(({ sendTransaction }) => sendTransaction(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ hash })` resolves with the receipt once the transaction is in a block. */
export function useReceipt() {
  return useAction((kit, parameters: Parameters<Sign['waitForReceipt']>[1]) =>
    sign().then(({ waitForReceipt }) => waitForReceipt(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ name })` resolves with the address; undefined if the name has none. */
export function useResolveName() {
  return useAction((kit, parameters: { name: string }) =>
    sign().then(({ resolveName }) => resolveName(kit, parameters)),
  )
}

/** A mutation: disconnects the given connector or, without one, every wallet. */
export function useDisconnect() {
  return useAction((kit, parameters: { connectorId?: string } | void) =>
    import('../core/connection/disconnect.ts').then(({ disconnect }) =>
      disconnect(kit, parameters ?? undefined),
    ),
  )
}

/** Creates a TanStack mutation in the provider's query client. */
function useAction<parameters, result>(
  run: (kit: KitInstance, parameters: parameters) => Promise<result>,
) {
  const { kit, queryClient } = useKitContext()
  return useMutation({ mutationFn: (parameters: parameters) => run(kit, parameters) }, queryClient)
}
