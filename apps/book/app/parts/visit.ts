import { createContext, use } from 'react'

/** What only the request knows. Set on the server alone, and never sent to the browser. */
export type RequestVisit = { nonce: string; cookie: string | undefined }

export const VisitContext = createContext<RequestVisit | undefined>(undefined)

/** The nonce that script and style elements of this response must carry. */
export function useNonce(): string | undefined {
  return use(VisitContext)?.nonce
}
