import type { ThemeMode } from '../../src/core/appearance/theme.ts'

/** The settings of the playground. All are in the page's URL, so that a link reproduces them. */
export type Settings = {
  /** A scene of the gallery: `View` or `View.state`. */
  scene: string
  theme: ThemeMode
  /** Theme variables by their key in the URL; an omitted one has its default value. */
  variables: Partial<Record<VariableKey, string>>
  locale: 'en' | 'de' | 'ar'
  /** Mirrors the layout while keeping English strings. Arabic is always mirrored. */
  mirrored: boolean
  /** The layout with two facing pages. */
  wide: boolean
  size: SizeName
}

/** The keys of the theme variables in the gallery's URL. */
export const variableNames = {
  accent: '--gf-accent',
  background: '--gf-background',
  mix: '--gf-color-mix',
  strength: '--gf-color-mix-strength',
  radius: '--gf-border-radius-master',
  size: '--gf-font-size-master',
  font: '--gf-font-family',
} as const
export type VariableKey = keyof typeof variableNames

/** The viewports to choose from, in CSS pixels. Without a width or height, the viewport fills the free space. */
export const sizes: Record<string, { label: string; width?: number; height?: number }> = {
  desktop: { label: 'Desktop' },
  low: { label: 'Low window', width: 1024, height: 560 },
  tablet: { label: 'Tablet', width: 768, height: 1024 },
  phone: { label: 'Phone', width: 390, height: 844 },
  small: { label: 'Small phone', width: 320, height: 568 },
}
/** A key of `sizes`. */
export type SizeName = string

export const defaults: Settings = {
  scene: 'Connect',
  theme: 'system',
  variables: {},
  locale: 'en',
  mirrored: false,
  wide: false,
  size: 'desktop',
}

/** Reads the settings from the playground's URL. Invalid values get their defaults. */
export function readSettings(query: URLSearchParams): Settings {
  const pick = <value extends string>(key: string, values: readonly value[], fallback: value) =>
    values.find((value) => value === query.get(key)) ?? fallback
  const keys = Object.keys(variableNames) as VariableKey[]
  return {
    scene: query.get('scene') ?? defaults.scene,
    theme: pick('theme', ['light', 'dark', 'system'], defaults.theme),
    variables: Object.fromEntries(
      keys.flatMap((key) => (query.get(key) ? [[key, query.get(key)]] : [])),
    ),
    locale: pick('locale', ['en', 'de', 'ar'], defaults.locale),
    mirrored: query.has('mirrored'),
    wide: query.has('wide'),
    size: pick('viewport', Object.keys(sizes), defaults.size),
  }
}

/** The query of the playground's URL for the settings. */
export function toQuery(settings: Settings): string {
  const { scene, theme, variables, locale, mirrored, wide, size } = settings
  return new URLSearchParams({
    ...(scene !== defaults.scene && { scene }),
    ...(theme !== defaults.theme && { theme }),
    ...(locale !== defaults.locale && { locale }),
    ...(mirrored && { mirrored: '' }),
    ...(wide && { wide: '' }),
    ...(size !== defaults.size && { viewport: size }),
    ...variables,
  }).toString()
}

/** The gallery's URL for the settings. */
export function galleryUrl(settings: Settings): string {
  const [view = '', state] = settings.scene.split('.')
  const query = new URLSearchParams({
    view,
    ...(state && { state }),
    theme: settings.theme,
    plain: '',
    ...settings.variables,
    ...(settings.wide && { wide: '' }),
    ...(settings.mirrored && settings.locale === 'en'
      ? { dir: 'rtl' }
      : { locale: settings.locale }),
  })
  return `./?${query.toString()}`
}

/** The theme variables, keyed as in the option `themeVariables`. */
export function themeVariablesOf(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings.variables).map(([key, value]) => [
      variableNames[key as VariableKey],
      value,
    ]),
  )
}
