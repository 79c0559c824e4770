import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { setLocale, setTheme } from '../src/core/actions/appearance.ts'
import type { Kit } from '../src/core/Kit.ts'
import { GatefoldProvider } from '../src/react/GatefoldProvider.tsx'
import { ConnectButton } from '../src/ui/buttons/ConnectButton.tsx'
import { ConnectPanel } from '../src/ui/buttons/ConnectPanel.tsx'
import { createKit, variablesOf } from './createKit.ts'
import { connectScenes } from './scenes/connect.tsx'
import type { Control } from './scenes/Scene.ts'
import './page.css'

declare global {
  interface Window {
    /** For tests: the instance on the page, its wallets, and whether the scene has been set. */
    gallery: {
      kit: Kit
      control: Control
      ready: Promise<void>
      scenes(): Promise<readonly string[]>
    }
  }
}

const query = new URLSearchParams(location.search)
const view = query.get('view')
const state = query.get('state')
const name = view && state ? `${view}.${state}` : (view ?? '')
document.body.dataset.theme = query.get('theme') ?? 'light'

const accountScenes = () => import('./scenes/account.tsx').then((module) => module.accountScenes)
const scenes = async () => [...Object.keys(connectScenes), ...Object.keys(await accountScenes())]

/** The instance of the scene; those of the account family bring their own. */
async function start(): Promise<{ kit: Kit; control: Control; show: () => unknown }> {
  const scene = connectScenes[name]
  if (scene || !name) {
    const made = createKit(scene ?? { show: () => {} }, query)
    return { ...made, show: () => scene?.show(made.kit, made.control) }
  }
  const scenesOfAccount = await accountScenes()
  const made = await scenesOfAccount[name]?.()
  if (!made) throw new Error(`There is no scene called ${name}.`)
  const mode = (query.get('theme') as 'light' | 'dark' | null) ?? 'light'
  setTheme(made.kit, { mode, variables: variablesOf(query) })
  if (query.get('dir') === 'rtl') setLocale(made.kit, 'ar')
  return { kit: made.kit, control: made.wallets, show: () => {} }
}

const { kit, control, show } = await start()
const page = (
  <GatefoldProvider kit={kit}>
    <main>
      <ConnectButton />
      <button id="before">A button of the page</button>
      {query.has('embedded') && <ConnectPanel />}
      {!name && (
        <nav>
          {(await scenes()).map((key) => (
            <p key={key}>
              <a href={`?view=${key.replace('.', '&state=')}`}>{key}</a>
            </p>
          ))}
        </nav>
      )}
      {query.has('tall') && <div style={{ height: '3000px' }}>A tall page</div>}
    </main>
  </GatefoldProvider>
)
const app = document.getElementById('app')
if (app) createRoot(app).render(<StrictMode>{page}</StrictMode>)

window.gallery = { kit, control, scenes, ready: kit.ready().then(async () => void (await show())) }
