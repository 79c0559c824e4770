/** The languages of the secure frame, and of the pages of its origin. */
export const frameLanguages = ['en', 'de', 'ar'] as const
export type FrameLanguage = (typeof frameLanguages)[number]

/**
 * The first of the given languages in which the frame has texts, otherwise
 * English. Pages and URLs may choose the language, because a tag only selects
 * one of the frame's own texts.
 *
 * @param tags - BCP 47 tags, the preferred one first
 */
export function toFrameLanguage(tags: readonly string[]): FrameLanguage {
  for (const tag of tags) {
    const [primary] = tag.toLowerCase().split('-')
    const found = frameLanguages.find((language) => language === primary)
    if (found) return found
  }
  return 'en'
}

/** The direction in which a language is written. */
export function directionOf(language: FrameLanguage): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
