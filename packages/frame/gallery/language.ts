import { toFrameLanguage } from '@gatefold/protocol/frame'
import { loadLanguage, markDocument } from '../src/strings/language.ts'

/** The language of all scenes, `?locale=de`. */
export const language = await loadLanguage(
  toFrameLanguage([new URLSearchParams(location.search).get('locale') ?? 'en']),
)
markDocument(document, language)
