import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { english, type Catalog, type Language } from './language.ts'
import { translate, type Translate } from './translate.ts'

export const LanguageContext = createContext<Language>(english)

/** The language of the document. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** A function that translates the keys of `text`. */
export function useText<text extends Catalog>(text: text): Translate<text> {
  const language = useLanguage()
  return useMemo(() => translate(text, language), [text, language])
}
