import { commonHeaders, createAnswers } from '../http/answers.ts'

/** Creates responses that only pages of the frame's own origin can read. */
export const frameAnswers = createAnswers({
  ...commonHeaders,
  'cross-origin-resource-policy': 'same-origin',
})

export const { json, refuse } = frameAnswers
