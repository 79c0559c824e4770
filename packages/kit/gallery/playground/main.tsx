import { StrictMode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

import { Code } from './Code.tsx'
import { Scenes } from './Scenes.tsx'
import { Stage } from './Stage.tsx'
import { Field, ThemeControls } from './ThemeControls.tsx'
import { defaults, galleryUrl, readSettings, sizes, themeVariablesOf, toQuery } from './settings.ts'
import type { Settings } from './settings.ts'
import { loadScenes } from '../scenes/loadScenes.ts'
import { toCode } from './toCode.ts'
import './playground.css'

/** Settings that the gallery applies without a reload. */
const live: readonly string[] = ['theme', 'variables', 'size'] satisfies (keyof Settings)[]

function Playground({ scenes }: { scenes: readonly string[] }) {
  const [settings, setSettings] = useState(() => readSettings(new URLSearchParams(location.search)))
  const [src, setSrc] = useState(() => galleryUrl(settings))
  const frame = useRef<HTMLIFrameElement>(null)

  function change(changes: Partial<Settings>) {
    const next = { ...settings, ...changes }
    setSettings(next)
    history.replaceState(null, '', `?${toQuery(next)}`)
    const gallery = frame.current?.contentWindow?.gallery
    if (gallery && Object.keys(changes).every((key) => live.includes(key)))
      gallery.setTheme(next.theme, themeVariablesOf(next))
    else setSrc(galleryUrl(next))
  }

  return (
    <>
      <aside aria-labelledby="title">
        <h1 id="title">Playground</h1>
        <Scenes
          scenes={scenes}
          selected={settings.scene}
          onSelect={(name) => change({ scene: name })}
        />
      </aside>
      <main>
        <div className="bar" role="toolbar" aria-label="Viewport">
          {Object.entries(sizes).map(([name, { label }]) => (
            <button
              key={name}
              type="button"
              aria-pressed={settings.size === name}
              onClick={() => change({ size: name })}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            className="replay"
            onClick={() => frame.current?.contentWindow?.location.reload()}
          >
            Replay
          </button>
        </div>
        {scenes.includes(settings.scene) ? (
          <Stage src={src} size={settings.size} frame={frame} />
        ) : (
          <p role="alert" className="missing">
            There is no view “{settings.scene}”.{' '}
            <button type="button" onClick={() => change({ scene: defaults.scene })}>
              Show Connect
            </button>
          </p>
        )}
      </main>
      <aside aria-label="Settings">
        <section aria-labelledby="theme-title" className="panel">
          <header>
            <h2 id="theme-title">Theme</h2>
            <button
              type="button"
              className="quiet"
              disabled={settings.theme === 'system' && Object.keys(settings.variables).length === 0}
              onClick={() => change({ theme: 'system', variables: {} })}
            >
              Reset all
            </button>
          </header>
          <Field label="Mode">
            <span className="segments" role="group" aria-label="Mode">
              {(['light', 'dark', 'system'] as const).map((mode) => (
                <button
                  key={mode}
                  type="button"
                  aria-pressed={settings.theme === mode}
                  onClick={() => change({ theme: mode })}
                >
                  {mode.charAt(0).toUpperCase() + mode.slice(1)}
                </button>
              ))}
            </span>
          </Field>
          <Field label="Layout">
            <span className="segments" role="group" aria-label="Layout">
              {[false, true].map((wide) => (
                <button
                  key={String(wide)}
                  type="button"
                  aria-pressed={settings.wide === wide}
                  onClick={() => change({ wide })}
                >
                  {wide ? 'Wide' : 'Compact'}
                </button>
              ))}
            </span>
          </Field>
          <ThemeControls settings={settings} onChange={change} />
          <Field label="Language">
            <select
              aria-label="Language"
              value={settings.locale}
              onChange={(event) => change({ locale: event.target.value as Settings['locale'] })}
            >
              <option value="en">English</option>
              <option value="de">Deutsch</option>
              <option value="ar">العربية</option>
            </select>
          </Field>
          <Field label="Right to left">
            <input
              type="checkbox"
              aria-label="Right to left"
              checked={settings.mirrored || settings.locale === 'ar'}
              disabled={settings.locale !== 'en'}
              onChange={(event) => change({ mirrored: event.target.checked })}
            />
          </Field>
        </section>
        <Code code={toCode(settings)} />
      </aside>
    </>
  )
}

const app = document.getElementById('app')
if (app)
  createRoot(app).render(
    <StrictMode>
      <Playground scenes={Object.keys(await loadScenes())} />
    </StrictMode>,
  )
