import type { FrameLanguage } from '@gatefold/protocol/frame'

/** A mail as plain text and as HTML with the same content. */
export type Mail = {
  to: string
  language: FrameLanguage
  subject: string
  text: string
  html: string
}
