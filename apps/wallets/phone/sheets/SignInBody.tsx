import type { Subject } from '../../src/provider/Subject.ts'
import { short } from '../../src/window/describe.ts'
import { Facts } from '../parts/Facts.tsx'

/** A sign-in that connects too: the very text that is signed. */
export function SignInBody({ subject }: { subject: Extract<Subject, { kind: 'signIn' }> }) {
  return (
    <>
      <pre className="text">{subject.message}</pre>
      <Facts rows={[{ label: 'Account', value: short(subject.account) }]} />
      <p className="fine">Signing is free and moves nothing. The site is connected with it.</p>
    </>
  )
}
