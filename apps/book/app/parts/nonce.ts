import { createContext, useContext } from 'react'

/** Set on the server alone: browsers hide a nonce from the document once it has been used. */
export const NonceContext = createContext<string | undefined>(undefined)

/** The nonce that script elements of this response must carry. */
export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
