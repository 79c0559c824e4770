import { createContext, use } from 'react'

/** What only the request knows. Set on the server alone, and never sent to the browser. */
export type RequestVisit = { nonce: string; cookie: string | undefined }

export const VisitContext = createContext<RequestVisit | undefined>(undefined)

/** The nonce that script and style elements of this document must carry. */
export function useNonce(): string | undefined {
  return use(VisitContext)?.nonce ?? nonceOfDocument()
}

/** A browser hides the attribute once it has been used, and keeps the property. */
function nonceOfDocument() {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined
}
