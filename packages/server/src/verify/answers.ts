import { commonHeaders, createAnswers, publicAnswers } from '../http/answers.ts'

/** Creates responses for wallets and clients, which any page can read. */
export const { json, refuse } = publicAnswers

/**
 * Creates responses for the service's own pages, without `access-control-allow-origin`. If a page of another
 * site could read a ticket, it could claim any origin.
 */
export const { headers: ownHeaders, json: ownJson } = createAnswers(commonHeaders)
