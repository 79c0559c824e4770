import { directionOf, type FrameLanguage } from '@gatefold/protocol/frame'

/** Strings by key. */
export type Catalog = Readonly<Record<string, string>>

/**
 * A language with its strings. The English strings are part of the
 * code that shows them.
 */
export type Language = { tag: FrameLanguage; catalog: Catalog }

export const english: Language = { tag: 'en', catalog: {} }

const catalogs: Readonly<Record<FrameLanguage, () => Promise<{ default: Catalog }>>> = {
  en: () => Promise.resolve({ default: english.catalog }),
  de: () => import('./de.ts'),
  ar: () => import('./ar.ts'),
}

/** Loads a language; English if that fails, because the texts of an approval must not be missing. */
export async function loadLanguage(tag: FrameLanguage): Promise<Language> {
  try {
    return { tag, catalog: (await catalogs[tag]()).default }
  } catch {
    return english
  }
}

/** Sets the language and the direction of a document. */
export function markDocument({ documentElement }: Document, { tag }: Language): void {
  documentElement.lang = tag
  documentElement.dir = directionOf(tag)
}
