/** @jsxImportSource preact */
import { isOriginAllowed } from '@gatefold/protocol/gateway'
import { render } from 'preact'
import { createApi } from './api/createApi.ts'
import { createApprovals, type Pending } from './approval/createApprovals.ts'
import { createChannel } from './channel/createChannel.ts'
import { watchCard } from './channel/watchCard.ts'
import { readConfig } from './config.ts'
import { createHandler } from './messages/createHandler.ts'
import { createRpc } from './rpc/createRpc.ts'
import { createScreens, type ShownScreen } from './recovery/createScreens.ts'
import { createSigner } from './signer/createSigner.ts'
import { createStretch } from './custody/createStretch.ts'
// oxlint-disable-next-line import/default -- Vite creates the export
import stretchUrl from './custody/stretchWorker.ts?worker&url'
// oxlint-disable-next-line import/default -- Vite creates the export
import workerUrl from './signer/worker.ts?worker&url'
import { createStore } from './store/createStore.ts'
import { startWorker } from './startWorker.ts'
import { createWallet } from './wallet/createWallet.ts'
import './styles.css'

const config = readConfig(document)
const { origin } = location
const store = createStore(globalThis.indexedDB)
const api = createApi({ origin, store, now: Date.now, fetch: fetch.bind(globalThis) })
const signer = createSigner(() => startWorker(workerUrl))
const stretch = createStretch(() => startWorker(stretchUrl))
const wallet = createWallet({ api, store, signer: signer.run, methods: config.recovery })
const approvals = createApprovals()
const screens = createScreens()
const network = { origin, projectId: config.projectId, fetch: fetch.bind(globalThis) }
const rpc = createRpc(network)
const bundler = createRpc({ ...network, path: 'bundler' })

const handle = createHandler({
  config,
  store,
  api,
  wallet,
  approvals,
  rpc,
  bundler,
  screens,
  isShown: () => channel.hasPort(),
  setTheme: (mode) => document.documentElement.setAttribute('data-theme', mode),
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
const context = { api, wallet, stretch, site: origin, projectId: config.projectId }
let approval: [pending: Pending | undefined, waiting: number] = [undefined, 0]
let screen: ShownScreen | undefined
let isCardLoaded = false

/** Shows the screen, or else the approval. Each is loaded when it is first needed. */
async function update() {
  const [pending, waiting] = approval
  if (screen) return showScreen(screen)
  if (!pending && !isCardLoaded) return undefined
  isCardLoaded = true
  const { ApprovalCard } = await import('./approval/ApprovalCard.tsx')
  if (screen) return undefined
  render(
    pending ? (
      <ApprovalCard key={pending.id} pending={{ ...pending }} waiting={waiting} site={origin} />
    ) : null,
    root,
  )
}

async function showScreen(shown: ShownScreen) {
  isCardLoaded = true
  const { done, cancel } = shown
  const card = await toCard(shown, { done, cancel })
  if (screen === shown) render(card, root)
}

async function toCard(shown: ShownScreen, end: Pick<ShownScreen, 'done' | 'cancel'>) {
  if (shown.name === 'restore') {
    const { RestoreCard } = await import('./recovery/RestoreCard.tsx')
    return <RestoreCard context={context} locked={shown.locked} {...end} />
  }
  if (shown.name === 'passkey') {
    const { PasskeyCard } = await import('./recovery/PasskeyCard.tsx')
    return <PasskeyCard context={context} origin={shown.origin} {...end} />
  }
  const { ProtectCard } = await import('./recovery/ProtectCard.tsx')
  return <ProtectCard context={context} user={shown.user} methods={config.recovery} {...end} />
}

approvals.watch((pending, waiting) => {
  approval = [pending, waiting]
  if (pending) signer.warm()
  void update()
})
screens.watch((shown) => {
  screen = shown
  void update()
})

watchCard(root, (height) => channel.showing(height))
channel.ready()
