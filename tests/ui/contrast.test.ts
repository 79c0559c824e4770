import { afterAll, beforeAll, expect, test } from 'vitest'

import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** Predefined accents, grays, and a sweep of hue, saturation and lightness. */
const accents = [
  '#CD9D6A',
  '#3B82F6',
  '#16A34A',
  '#111111',
  '#F5F5F5',
  '#E11D48',
  '#000',
  '#fff',
  '#808080',
  ...[0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330].flatMap((hue) =>
    [35, 90].flatMap((saturation) =>
      [22, 50, 78].map((lightness) => `hsl(${hue} ${saturation}% ${lightness}%)`),
    ),
  ),
]
/** Backgrounds and mix colors: none, the accent as the mix color, cream, navy, pink, gray. */
const backgrounds: readonly Record<string, string>[] = [
  {},
  { '--gf-color-mix-strength': '8%' },
  ...['#fdf6e3', '#0b1b3a', '#ff4fa3', '#7a7a7a'].map((background) => ({
    '--gf-background': background,
    '--gf-color-mix-strength': '8%',
  })),
]

/** Foreground, background and minimum contrast ratio: 4.5 for text, 3 for graphics (WCAG 1.4.3, 1.4.11). */
const pairs: readonly (readonly [ink: string, paper: string, least: number])[] = [
  ...['page', 'surface', 'surface-hover', 'surface-press', 'raised'].map(
    (paper) => ['ink', paper, 4.5] as const,
  ),
  ...['page', 'surface', 'surface-hover'].map((paper) => ['ink-2', paper, 4.5] as const),
  ['ink-2', 'tile', 4.5],
  ...['page', 'surface', 'surface-hover'].map((paper) => ['ink-3', paper, 4.5] as const),
  ...['page', 'surface', 'surface-hover', 'accent-soft'].map(
    (paper) => ['accent-text', paper, 4.5] as const,
  ),
  ['on-accent', 'accent-fill', 4.5],
  ...['good', 'bad', 'warn'].flatMap((kind) => [
    [kind, 'page', 4.5] as const,
    [kind, `${kind}-soft`, 4.5] as const,
    ['ink', `${kind}-soft`, 4.5] as const,
  ]),
  ['line-ui', 'page', 3],
  ['accent-edge', 'page', 3],
  ['accent-ui', 'page', 3],
  ['accent-ui', 'surface', 3],
]

test.each(['light', 'dark'])(
  'every pair of colors has enough contrast with any accent (%s)',
  async (theme) => {
    const { page } = await gallery.visit('Connect', { query: `plain&theme=${theme}` })
    const worst = await page.evaluate(
      ({ accents, backgrounds, pairs }) => {
        const root = document.querySelector<HTMLElement>('[data-gatefold]')!
        const canvas = document
          .createElement('canvas')
          .getContext('2d', { willReadFrequently: true })!
        const probe = document.createElement('i')
        root.append(probe)
        const names = [...new Set(pairs.flatMap(([ink, paper]) => [ink, paper]))]
        const luminance = (name: string) => {
          probe.style.color = `var(--gf-${name})`
          canvas.fillStyle = getComputedStyle(probe).color
          canvas.fillRect(0, 0, 1, 1)
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
            const value = byte / 255
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
          })
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const found: Record<string, { ratio: number; least: number; accent: string }> = {}
        for (const accent of accents)
          for (const paper of backgrounds) {
            root.removeAttribute('style')
            for (const [name, value] of Object.entries({ '--gf-accent': accent, ...paper }))
              root.style.setProperty(name, value)
            const bright = Object.fromEntries(names.map((name) => [name, luminance(name)]))
            for (const [ink, on, least] of pairs) {
              const [low = 0, high = 0] = [bright[ink] ?? 0, bright[on] ?? 0].toSorted(
                (a, b) => a - b,
              )
              const ratio = (high + 0.05) / (low + 0.05)
              const key = `${ink} on ${on}`
              if (!found[key] || ratio < found[key].ratio) found[key] = { ratio, least, accent }
            }
          }
        return found
      },
      { accents, backgrounds, pairs },
    )
    expect(Object.keys(worst)).toHaveLength(pairs.length)
    // The canvas rounds each color channel to a byte, which changes a ratio by at most 0.01.
    const unreadable = Object.entries(worst).filter(([, { ratio, least }]) => ratio < least - 0.01)
    expect(unreadable).toEqual([])
  },
)

test('the letters of a plate have enough contrast on each of its planes, in every hue and tone', async () => {
  const { page } = await gallery.visit('Downloads.nothing')
  const worst = await page
    .locator('.gf-plate')
    .first()
    .evaluate((plate: HTMLElement) => {
      const canvas = document
        .createElement('canvas')
        .getContext('2d', { willReadFrequently: true })!
      const luminance = (color: string) => {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
          const value = byte / 255
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const planes = [...plate.querySelectorAll('path')]
      for (const plane of planes) plane.style.transition = 'none'
      let least = 21
      for (const tone of ['plain', 'pale', 'deep'])
        for (let hue = 0; hue < 360; hue += 5) {
          plate.dataset.tone = tone
          plate.style.setProperty('--hue', String(hue))
          const { color, backgroundColor } = getComputedStyle(plate)
          const papers = [backgroundColor, ...planes.map((plane) => getComputedStyle(plane).fill)]
          if (new Set(papers).size !== 3) return 0
          for (const paper of papers) {
            const [low = 0, high = 0] = [luminance(color), luminance(paper)].toSorted(
              (a, b) => a - b,
            )
            least = Math.min(least, (high + 0.05) / (low + 0.05))
          }
        }
      return least
    })
  expect(worst).toBeGreaterThan(5.3)
})
