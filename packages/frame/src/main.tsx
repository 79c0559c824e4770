/** @jsxImportSource preact */
import { isOriginAllowed } from '@gatefold/protocol/gateway'
import { render } from 'preact'
import { createApi } from './api/createApi.ts'
import { createApprovals } from './approval/createApprovals.ts'
import { createChannel } from './channel/createChannel.ts'
import { watchCard } from './channel/watchCard.ts'
import { readConfig } from './config.ts'
import { createHandler } from './messages/createHandler.ts'
import { createRpc } from './rpc/createRpc.ts'
import { createSigner } from './signer/createSigner.ts'
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
const wallet = createWallet({ api, store, signer: signer.run })
const approvals = createApprovals()
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

let isCardLoaded = false
approvals.watch((pending, waiting) => {
  // The card is loaded with the first request.
  if (!pending && !isCardLoaded) return
  isCardLoaded = true
  if (pending) signer.warm()
  void import('./approval/ApprovalCard.tsx').then(({ ApprovalCard }) =>
    render(
      pending ? (
        <ApprovalCard key={pending.id} pending={{ ...pending }} waiting={waiting} site={origin} />
      ) : null,
      document.getElementById('root')!,
    ),
  )
})

watchCard(document.getElementById('root')!, (height) => channel.showing(height))
channel.ready()
