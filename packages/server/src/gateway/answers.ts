import { publicAnswers } from '../http/answers.ts'

/** Any page can read every answer of the gateway, errors and images included. */
export const { headers, jsonHeaders, json, refuse } = publicAnswers
