import { commonHeaders, createAnswers, publicAnswers } from '../http/answers.ts'

/** For wallets and clients: any page can read these. */
export const { json, refuse } = publicAnswers

/**
 * For the service's own pages. Without `access-control-allow-origin`: a page of another site that
 * could read a ticket could claim any origin.
 */
export const { headers: ownHeaders, json: ownJson } = createAnswers(commonHeaders)
