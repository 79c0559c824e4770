import { createContext, use } from 'react'

/** Per-request data. Set only on the server; the browser reads its own cookies and the document's nonce. */
export type RequestData = { nonce: string; cookie: string | undefined }

export const RequestContext = createContext<RequestData | undefined>(undefined)

/** The nonce that script and style elements of this document must have. */
export function useNonce(): string | undefined {
  return use(RequestContext)?.nonce ?? nonceOfDocument()
}

/** Reads the property, because browsers hide the value of the attribute. */
function nonceOfDocument() {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined
}
