import type { RequestDetails } from '../../src/provider/RequestDetails.ts'
import { short } from '../../src/window/describeRequest.ts'
import { DetailList } from '../parts/DetailList.tsx'
import { Methods } from '../parts/Methods.tsx'
import { Permissions } from '../parts/Permissions.tsx'

/**
 * Details of a one-click sign-in: what the app may request afterwards, the exact text to sign for the first
 * chain, and the account.
 */
export function SignInBody({ details }: { details: Extract<RequestDetails, { kind: 'signIn' }> }) {
  const { account, message, methods } = details
  const connects = methods.length > 0
  return (
    <>
      {connects && (
        <section className="stack" aria-labelledby="granted-permissions">
          <h3 id="granted-permissions" className="caption">
            This app will be able to
          </h3>
          <Permissions methods={methods} />
          <Methods methods={methods} />
        </section>
      )}
      <pre className="text">{message}</pre>
      <DetailList rows={[{ label: 'Account', value: short(account) }]} />
      <p className="hint">
        Signing is free and sends no transaction.{connects && ' It also connects the site.'}
      </p>
    </>
  )
}
