import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/frameworks.md'), 'utf8')

/** The sections of the page that show an example, by their headings. */
const examples: Record<string, string> = {
  'Next.js (App Router)': 'next',
  'React Router': 'react-router-ssr',
  'TanStack Start': 'tanstack-start',
  'Vite with React 19 and wagmi 3': 'vite-react19-wagmi3',
  'Vite with React 18 and wagmi 2': 'vite-react18-wagmi2',
  'Plain TypeScript': 'vanilla',
}

const sections = page.split(/^## /m).map((text) => ({
  name: text.slice(0, text.indexOf('\n')),
  blocks: [...text.matchAll(/^```tsx?.*\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, path, code]) => ({
    path: path!,
    code,
  })),
}))

test.each(Object.entries(examples))('the code of “%s” is that of examples/%s', (name, example) => {
  const blocks = sections.find((section) => section.name === name)?.blocks ?? []
  expect(blocks.length).toBeGreaterThan(0)
  for (const { path, code } of blocks)
    expect(code, path).toBe(readFileSync(join(root, 'examples', example, path), 'utf8'))
})

test('TanStack Start has the providers.tsx of React Router, as the page says', () => {
  const read = (path: string) => readFileSync(join(root, 'examples', path), 'utf8')
  expect(read('tanstack-start/src/providers.tsx')).toBe(read('react-router-ssr/app/providers.tsx'))
})

test('the table has the versions of the examples', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ['))
  expect(rows).toHaveLength(Object.keys(examples).length)
  for (const example of Object.values(examples)) {
    const row = rows.find((line) => line.startsWith(`| [${example}]`)) ?? ''
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'examples', example, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
    const used = { ...devDependencies, ...dependencies }
    const frameworks = ['next', 'react-router', '@tanstack/react-start', 'vite']
    const framework = frameworks.find((name) => used[name])!
    const shown = [framework, 'react', '@wagmi/core', 'wagmi', 'viem', '@tanstack/react-query']
    for (const name of shown) expect(row, name).toContain(used[name] ?? '')
  }
})
