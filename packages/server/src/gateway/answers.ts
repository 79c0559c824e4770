import { publicAnswers } from '../http/answers.ts'

/** Creates responses that any page can read. Used for all gateway responses, including errors and images. */
export const { headers, jsonHeaders, json, refuse } = publicAnswers
