import { createContext, use } from 'react'

/** Data of the request. Set on the server only; never sent to the browser. */
export type RequestData = { nonce: string; cookie: string | undefined }

export const RequestContext = createContext<RequestData | undefined>(undefined)

/** The nonce that script and style elements of this document must carry. */
export function useNonce(): string | undefined {
  return use(RequestContext)?.nonce ?? nonceOfDocument()
}

/** Browsers hide the attribute's value but keep the property. */
function nonceOfDocument() {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined
}
