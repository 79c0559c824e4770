import * as v from 'valibot'

// Messages between the window of a social login and the frame that started the
// login. See docs/contracts/frame.md#social-login.

/** Sent by the window, with the result of the login. */
export const socialResultType = '@gatefold/social-result'
/** Sent by the frame, once it has stored the result. */
export const socialResultKeptType = '@gatefold/social-result-kept'

export const SocialResultMessage = v.object({
  type: v.literal(socialResultType),
  /** The URL of the window, which contains the provider's code. */
  uri: v.pipe(v.string(), v.maxLength(8_000)),
})
