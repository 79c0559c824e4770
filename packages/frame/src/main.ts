import { toFrameLanguage } from '@gatefold/protocol/frame'
import { isOriginAllowed } from '@gatefold/protocol/gateway'
import { createApi } from './api/createApi.ts'
import { createApprovals } from './approval/createApprovals.ts'
import { createChannel } from './channel/createChannel.ts'
import { watchCard } from './channel/watchCard.ts'
import { watchSocialResults } from './channel/watchSocialResults.ts'
import { readConfig } from './config.ts'
import { lazy } from './lazy.ts'
import { createHandler } from './messages/createHandler.ts'
import type { Shown } from './createRenderer.tsx'
import { createRpc } from './rpc/createRpc.ts'
import { createScreens } from './recovery/createScreens.ts'
import { createSigner } from './signer/createSigner.ts'
import { createStretch } from './custody/createStretch.ts'
// oxlint-disable-next-line import/default -- Vite creates the export
import stretchUrl from './custody/stretchWorker.ts?worker&url'
// oxlint-disable-next-line import/default -- Vite creates the export
import workerUrl from './signer/worker.ts?worker&url'
import { createStore } from './store/createStore.ts'
import { loadLanguage } from './strings/language.ts'
import { startWorker } from './startWorker.ts'
import { createWallet } from './wallet/createWallet.ts'

const config = readConfig(document)
const { origin } = location
const store = createStore(globalThis.indexedDB)
/** The browser's language, until the page names one. */
let tag = toFrameLanguage(navigator.languages)
const language = () => loadLanguage(tag)
const api = createApi({
  origin,
  store,
  now: Date.now,
  language: () => tag,
  fetch: fetch.bind(globalThis),
})
const signer = createSigner(() => startWorker(workerUrl))
const stretch = createStretch(() => startWorker(stretchUrl))
const approvals = createApprovals()
const screens = createScreens()
const wallet = createWallet({
  api,
  store,
  signer: signer.run,
  methods: config.recovery,
  askKey: (locked) => screens.askKey(locked),
})
const network = { origin, projectId: config.projectId, fetch: fetch.bind(globalThis) }
const rpc = createRpc(network)
const bundler = createRpc({ ...network, path: 'bundler' })

const socials = lazy(async () =>
  (await import('./messages/socialLogins.ts')).createSocialLogins({
    api,
    store,
    projectId: config.projectId,
  }),
)

const handle = createHandler({
  config,
  store,
  api,
  wallet,
  approvals,
  rpc,
  bundler,
  screens,
  socials,
  isShown: () => channel.hasPort(),
  setTheme: (mode) => document.documentElement.setAttribute('data-theme', mode),
  language,
  setLocale(locale) {
    tag = toFrameLanguage([locale, ...navigator.languages])
    void update({})
  },
})

const channel = createChannel({
  window,
  version: config.version,
  isAllowed: (candidate) => isOriginAllowed(candidate, config.origins),
  handle,
  // oxlint-disable-next-line no-console -- §5.10.10 requires it
  onProblem: (text) => console.warn(text),
})

const root = document.getElementById('root')!
let shown: Shown = { pending: undefined, waiting: 0, screen: undefined }
let isDrawn = false
const renderer = lazy(async () =>
  (await import('./createRenderer.tsx')).createRenderer(root, {
    context: { api, wallet, stretch, site: origin, projectId: config.projectId },
    methods: config.recovery,
    language,
    prefetch: () => fetch(stretchUrl),
  }),
)

/** Shows a change. The code that draws is loaded with the first card. */
async function update(change: Partial<Shown>) {
  shown = { ...shown, ...change }
  if (!isDrawn && !shown.pending && !shown.screen) return
  isDrawn = true
  const draw = await renderer()
  await draw(shown)
}

approvals.watch((pending, waiting) => {
  if (pending) signer.warm()
  void update({ pending, waiting })
})
screens.watch((screen) => void update({ screen }))

watchSocialResults({ window, keep: async (uri) => (await socials()).keep(uri) })
watchCard(root, (height, kind) => channel.showing(height, kind))
channel.ready()
