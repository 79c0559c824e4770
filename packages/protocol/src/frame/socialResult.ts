import * as v from 'valibot'

// Messages between the window of a social login and the frame that has started it. See docs/contracts/frame.md#social-login.

/** With the result, from the window. */
export const socialResultType = '@gatefold/social-result'
/** From the frame, once it has kept the result. */
export const socialResultKeptType = '@gatefold/social-result-kept'

export const SocialResultMessage = v.object({
  type: v.literal(socialResultType),
  /** The URL of the window, which has the code of the provider. */
  uri: v.pipe(v.string(), v.maxLength(8_000)),
})
