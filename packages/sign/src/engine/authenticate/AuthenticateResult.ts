import * as v from 'valibot'
import { authorizations, Cacao, Participant } from '../state/schemas.ts'

/** The response to a sign-in request. */
export const AuthenticateResult = v.object({
  // Limited, because verifying each CACAO may need an `eth_call` on each granted chain.
  cacaos: v.pipe(v.array(Cacao), v.minLength(1), v.maxLength(authorizations)),
  responder: Participant,
})
