/** A mail as plain text and as HTML with the same content. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
}
