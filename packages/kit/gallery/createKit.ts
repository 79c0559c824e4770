import { createKit as createCore } from '../src/core/kit/createKit.ts'
import type { KitInstance } from '../src/core/kit/Kit.ts'
import type { Prefetch } from '../src/core/kit/options.ts'
import { memoryAdapter } from '../src/core/testing/memoryAdapter.ts'
import { memoryStorage } from '../src/core/storage/storage.ts'
import type { ThemeMode, ThemeVariables } from '../src/core/appearance/theme.ts'
import { memoryEmbedded } from './memoryEmbedded.ts'
import { memoryWalletConnect } from './memoryWalletConnect.ts'
import { networks } from './networks.ts'
import { halyard, nacre } from './scenes/connectors.ts'
import type { Control, Scene } from './scenes/Scene.ts'

/**
 * The theme variables from the URL, merged into the Book's or, with `plain`,
 * into the defaults.
 */
function variablesOf(query: URLSearchParams): ThemeVariables {
  const names = {
    accent: '--gf-accent',
    radius: '--gf-border-radius-master',
    size: '--gf-font-size-master',
    background: '--gf-background',
    mix: '--gf-color-mix',
    strength: '--gf-color-mix-strength',
    font: '--gf-font-family',
  }
  const overrides = Object.entries(names).flatMap(([key, name]) => {
    const value = query.get(key)
    return value ? [[name, value]] : []
  })
  return {
    ...(!query.has('plain') && {
      '--gf-accent': '#CD9D6A',
      '--gf-border-radius-master': '10px',
      '--gf-font-family': "'Instrument Sans Variable', sans-serif",
    }),
    ...Object.fromEntries(overrides),
  }
}

/**
 * Creates a kit with mock wallets and the mock gateway, configured by the scene and the URL.
 *
 * @returns also `restore`, which undoes what the scene changed in the page
 */
export function createKit(
  scene: Scene,
  query: URLSearchParams,
): { kit: KitInstance; control: Control; restore: () => void } {
  const relay = memoryWalletConnect()
  const frame = memoryEmbedded()
  const control = Object.assign(
    memoryAdapter({
      connectors: scene.connectors ?? [halyard, nacre],
      addresses: scene.addresses,
    }),
    { relay, frame },
  )
  const restore = scene.prepare?.(control) ?? (() => {})
  const mode = scene.gateway ?? 'ok'
  const kit = createCore(
    {
      metadata: {
        name: 'Book of Ethereum',
        description: 'Journey through the Ethereum saga',
        url: location.origin,
        icons: [`${location.origin}/art/book.svg`],
      },
      networks,
      // The project id selects the behavior of the mock gateway.
      endpoints: {
        ...(mode !== 'none' && { gateway: location.origin }),
        relay: location.origin,
        ...(scene.frame && { frame: location.origin }),
      },
      ...(mode !== 'none' && { projectId: mode }),
      themeMode: (query.get('theme') as ThemeMode | null) ?? 'light',
      themeVariables: variablesOf(query),
      storage: memoryStorage(),
      locale: query.get('locale') ?? (query.get('dir') === 'rtl' ? 'ar' : 'en'),
      locales: {
        de: () => import('../src/ui/strings/de.ts'),
        // `dir` mirrors the layout but keeps the English strings.
        ...(query.get('dir') !== 'rtl' && { ar: () => import('../src/ui/strings/ar.ts') }),
      },
      ...scene.options,
      adapters: scene.withoutAdapters ? [] : [control.factory, ...(scene.options?.adapters ?? [])],
      ...(query.has('wide') && { modalSize: 'wide' as const }),
      ...(query.has('embedded') && { enableEmbedded: true }),
      ...(query.has('disableAppend') && { disableAppend: true }),
      ...(query.has('prefetch') && { prefetch: query.get('prefetch') as Prefetch }),
      ...(query.has('nonce') && { nonce: query.get('nonce')! }),
    },
    {
      loadGateway: async (parameters) =>
        (await import('../src/clients/gateway.ts')).createGatewayClient(parameters),
      connectors: [
        ...(scene.relay ? [relay.factory] : []),
        ...(scene.frame ? [frame.factory] : []),
      ],
    },
  )
  return { kit, control, restore }
}
