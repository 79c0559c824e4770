import { commonHeaders, createAnswers, publicAnswers } from '../http/answers.ts'

/** Answers for wallets and clients, readable by any page. */
export const { json, refuse } = publicAnswers

/**
 * Answers for the service's own pages, without `access-control-allow-origin`: a page of another site that
 * could read a ticket could claim any origin.
 */
export const { headers: ownHeaders, json: ownJson } = createAnswers(commonHeaders)
