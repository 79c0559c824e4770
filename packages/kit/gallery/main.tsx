import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import type { ToastVariant } from '../src/core/kit/state.ts'
import { themeVariables } from '../src/core/appearance/theme.ts'
import type { ThemeMode, ThemeVariables } from '../src/core/appearance/theme.ts'
import type { KitInstance } from '../src/core/kit/Kit.ts'
import { GatefoldProvider } from '../src/exports/GatefoldProvider.ts'
import type { AvatarComponent } from '../src/react/context.ts'
import { ConnectButton } from '../src/ui/buttons/ConnectButton.tsx'
import { WalletButton } from '../src/ui/buttons/WalletButton.tsx'
import { ConnectPanel } from '../src/ui/buttons/ConnectPanel.tsx'
import { createKit } from './createKit.ts'
import { disconnectedScenes, loadScenes } from './scenes/loadScenes.ts'
import type { Control, Scene } from './scenes/Scene.ts'
import './page.css'

declare global {
  interface Window {
    /** For tests: the kit, its mock wallets, and a promise for the scene. */
    gallery: {
      kit: KitInstance
      control: Control
      ready: Promise<void>
      toast(variant: ToastVariant, text: string): Promise<void>
      /** Replaces the theme. */
      setTheme(mode: ThemeMode, variables: ThemeVariables): void
      scenes(): Promise<readonly string[]>
      /**
       * Replaces the page's kit with the kit of another scene, as if the page were loaded with other URL parameters, and
       * resolves once that is shown.
       */
      show(parameters: string): Promise<void>
    }
  }
}

/**
 * Not awaited at the top level: the lazy chunk imports this file, so the import
 * would never settle.
 */
async function start() {
  const query = new URLSearchParams(location.search)
  const view = query.get('view')
  const state = query.get('state')
  const name = view && state ? `${view}.${state}` : (view ?? '')
  document.body.dataset.theme = query.get('theme') ?? 'light'

  const scenes = async () => Object.keys(await loadScenes())

  /** `offline`: a visitor without a wallet, on a site without a gateway; `noGateway`: a site without a gateway. */
  const closed: Scene = {
    ...(query.has('offline') && { connectors: [], gateway: 'none' }),
    ...(query.has('noGateway') && { gateway: 'none' }),
    show: () => {},
  }
  const scene = name ? (disconnectedScenes[name] ?? (await loadScenes())[name]) : closed
  if (!scene) throw new Error(`The scene ${name} does not exist.`)
  const { kit, control, restore } = createKit(scene, query)
  // A second instance, to test that instances are isolated.
  const second = query.has('two') ? createKit(scene, query).kit : undefined
  /** A custom avatar component of a site. */
  const Letters: AvatarComponent = ({ address, size }) => (
    <span
      className="letters"
      style={{ display: 'block', width: size, height: size, lineHeight: `${size}px` }}
    >
      {address.slice(2, 4)}
    </span>
  )

  const hooks = query.has('hooks') ? (await import('./Hooks.tsx')).Hooks : undefined
  const page = (
    <GatefoldProvider kit={kit} avatar={query.has('avatar') ? Letters : undefined}>
      <main>
        {query.has('below') && <div style={{ height: '3000px' }}>A tall page</div>}
        <ConnectButton />
        {query.getAll('wallet').map((wallet) => (
          <WalletButton key={wallet} wallet={wallet} />
        ))}
        {!query.has('plain') && <button id="before">A button of the page</button>}
        {query.has('embedded') && <ConnectPanel />}
        {hooks && createElement(hooks, { modal: query.get('hooks') === 'modal' })}
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
  const root = app ? createRoot(app) : undefined
  root?.render(
    <StrictMode>
      {page}
      {second && (
        <GatefoldProvider kit={second}>
          <section aria-label="Second">
            <ConnectButton />
          </section>
        </GatefoldProvider>
      )}
    </StrictMode>,
  )

  window.gallery = {
    kit,
    control,
    scenes,
    ready: kit.ready().then(() => scene.show(kit, control)),
    // Loaded on call, because the page itself must not load the modal's chunk.
    async toast(variant, text) {
      const { showToast } = await import('../src/core/notifications/showToast.ts')
      showToast(kit, variant, text)
    },
    setTheme(mode, variables) {
      document.body.dataset.theme = mode
      kit.dispatch({
        type: 'theme.changed',
        theme: { mode, variables: themeVariables(variables) },
      })
    },
    async show(parameters) {
      for (const each of [kit, second]) each?.destroy()
      root?.unmount()
      restore()
      for (const stored of [localStorage, sessionStorage]) stored.clear()
      history.replaceState(null, '', `?${parameters}`)
      await start()
      await window.gallery.ready
    },
  }
}

void start()
