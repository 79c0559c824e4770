import type { RequestDetails } from '../../src/provider/RequestDetails.ts'
import { short } from '../../src/window/describeRequest.ts'
import { DetailList } from '../parts/DetailList.tsx'

/**
 * Details of a one-click sign-in, which also connects: the exact text to sign for the first chain,
 * and the account.
 */
export function SignInBody({ details }: { details: Extract<RequestDetails, { kind: 'signIn' }> }) {
  return (
    <>
      <pre className="text">{details.message}</pre>
      <DetailList rows={[{ label: 'Account', value: short(details.account) }]} />
      <p className="hint">Signing is free and sends no transaction. It also connects the site.</p>
    </>
  )
}
