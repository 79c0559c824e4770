import { limits } from '@gatefold/protocol'

import { useKitQuery } from '../../../react/queries.ts'
import { useDebounced } from '../../../react/useDebounced.ts'

/** The receiver that the visitor has typed. */
export type Recipient =
  | {
      status:
        | 'empty'
        | 'resolving'
        | 'noName'
        | 'nameFailed'
        | 'short'
        | 'long'
        | 'characters'
        | 'checksum'
    }
  | { status: 'found'; address: string; name: string | undefined }

/** Reads an address, or resolves a name once typing pauses. */
export function useRecipient(typed: string): Recipient {
  const text = typed.trim()
  const isName = text.includes('.')
  const settled = useDebounced(text, limits.searchDebounceMs)
  const { data, isError } = useKitQuery({
    name: 'recipient',
    // An address is parsed immediately; a name is looked up on the network.
    key: [isName ? settled : text],
    enabled: text !== '' && (!isName || settled === text),
    staleTime: limits.identityCacheMs,
    load: async (kit): Promise<Recipient> => {
      if (!isName) {
        const { parseAddress } = await import('../../../core/money/transfer.ts')
        const parsed = await parseAddress(kit, text)
        return 'address' in parsed
          ? { status: 'found', address: parsed.address, name: undefined }
          : { status: parsed.problem }
      }
      const { resolveName } = await import('../../../core/account/sign.ts')
      const address = await resolveName(kit, { name: text })
      return address ? { status: 'found', address, name: text } : { status: 'noName' }
    },
  })
  if (text === '') return { status: 'empty' }
  if (isName && settled !== text) return { status: 'resolving' }
  return data ?? { status: isError ? 'nameFailed' : 'resolving' }
}
