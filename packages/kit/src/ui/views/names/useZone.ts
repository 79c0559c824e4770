import { useKitAccount } from '../../../react/hooks.ts'
import { useKitNames } from '../../../react/names.ts'
import { useInstance } from '../../../react/context.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'

/**
 * The zone in which the account registers a name, and the account's names in
 * this zone.
 */
export type Zone =
  | { status: 'loading' }
  | { status: 'none' }
  | { status: 'failed'; onRetry: () => void }
  | { status: 'ready'; zone: string; own: string | undefined }

/**
 * Reads the zone. The zone stays known while the names of another account load.
 */
export function useZone(): Zone {
  const kit = useInstance()
  const { data, isError, refetch } = useKitNames()
  const last = useLastValue(data, Boolean(data))
  if (!kit.options.endpoints.gateway) return { status: 'none' }
  if (!last) return isError ? { status: 'failed', onRetry: () => void refetch() } : loading
  const { zone } = last
  if (!zone) return { status: 'none' }
  return { status: 'ready', zone, own: data?.names.find((name) => name.endsWith(`.${zone}`)) }
}

const loading = { status: 'loading' } as const

/** The active account or, during the exit animation, the last one. */
export function useAddress(): string {
  const { address } = useKitAccount()
  return useLastValue(address, Boolean(address)) ?? ''
}
