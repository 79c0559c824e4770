/** @jsxImportSource preact */
import { toFrameLanguage } from '@gatefold/protocol/frame'
import { render, type VNode } from 'preact'
import { createApi } from '../api/createApi.ts'
import { readConfig } from '../config.ts'
import { createSigner } from '../signer/createSigner.ts'
import { createStretch } from '../custody/createStretch.ts'
// oxlint-disable-next-line import/default -- Vite creates the export
import stretchUrl from '../custody/stretchWorker.ts?worker&url'
// oxlint-disable-next-line import/default -- Vite creates the export
import workerUrl from '../signer/worker.ts?worker&url'
import { frameText } from '../strings/frame.ts'
import { loadLanguage, markDocument } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import { LanguageContext } from '../strings/useText.ts'
import { createStore } from '../store/createStore.ts'
import { startWorker } from '../startWorker.ts'
import { createWallet } from '../wallet/createWallet.ts'
import '../styles.css'
import './page.css'

// The pages of the frame's origin, each in its own window: `/settings`,
// `/restore` and `/approve`.

const config = readConfig(document)
const { origin, pathname, search } = location
const store = createStore(globalThis.indexedDB)
// The page that opened this one names its language.
const locale = new URLSearchParams(search).get('locale')
const tag = toFrameLanguage([...(locale === null ? [] : [locale]), ...navigator.languages])
const api = createApi({
  origin,
  store,
  now: Date.now,
  language: () => tag,
  fetch: fetch.bind(globalThis),
})
const signer = createSigner(() => startWorker(workerUrl)).run
const stretch = createStretch(() => startWorker(stretchUrl))
const wallet = createWallet({ api, store, signer, methods: config.recovery })
const context = { api, wallet, stretch, site: origin, projectId: config.projectId }
const root = document.getElementById('root')!

const token = location.hash.slice(1)
// The token is valid once, and need not stay in the browser's history.
if (pathname === '/restore') history.replaceState(null, '', pathname + search)

const language = await loadLanguage(tag)
markDocument(document, language)
document.title = translate(frameText, language)('frame.wallet')

const scheme = matchMedia('(prefers-color-scheme: dark)')
const setTheme = () =>
  document.documentElement.setAttribute('data-theme', scheme.matches ? 'dark' : 'light')
setTheme()
scheme.addEventListener('change', setTheme)

if (pathname === '/approve') {
  const { ApprovePage } = await import('./ApprovePage.tsx')
  show(<ApprovePage site={origin} />)
} else if (pathname === '/restore') {
  const { RestorePage } = await import('./RestorePage.tsx')
  show(<RestorePage context={context} token={token} />)
} else {
  const { SettingsPage } = await import('./SettingsPage.tsx')
  show(<SettingsPage context={context} config={config} />)
}

function show(page: VNode) {
  render(<LanguageContext.Provider value={language}>{page}</LanguageContext.Provider>, root)
}
