import { expect, test } from 'vitest'
import { createReader } from '../api/readApi.ts'
import { renderPages, type Page } from '../api/renderApi.ts'
import { findDocProblems, findStalePages } from './findApiProblems.ts'
import { makeTree } from './makeTree.ts'

/** Reads the exports of a declaration file `index.d.ts`. */
function pagesOf(text: string, others: Record<string, string> = {}): Page[] {
  const files = new Map([['index.d.ts', text], ...Object.entries(others)])
  const items = [...createReader(files).readExports('index.d.ts').values()]
  return [{ specifier: 'kit', file: 'kit.md', items }]
}

test('accepts an entry whose exports and properties have JSDoc', () => {
  const pages = pagesOf("export { A } from './a.ts';\nexport type { B } from './a.ts';", {
    'a.d.ts': [
      '/** Does a. */\nexport declare function A(props: {\n  /** The b. */\n  b: B;\n}): { c: string };',
      '/** A b. */\nexport type B = {\n  type: "b";\n  /** The d. */\n  d?: string;\n};',
    ].join('\n'),
  })
  expect(findDocProblems(pages)).toEqual([])
})

test.each([
  ['an export', 'export type A = string;', 'kit: A has no JSDoc'],
  ['a property', '/** An a. */\nexport type A = { b: string };', 'kit: A has no JSDoc for b'],
  [
    'a nested property',
    '/** An a. */\nexport type A = {\n  /** The b. */\n  b: { c(): void } | undefined;\n};',
    'kit: A has no JSDoc for b.c',
  ],
  [
    'a prop',
    '/** An a. */\nexport declare function A(props: { b: string }): void;',
    'kit: A has no JSDoc for b',
  ],
])('reports %s without JSDoc', (_, text, problem) => {
  expect(findDocProblems(pagesOf(text))).toEqual([problem])
})

test('reports a type that is mentioned and not exported', () => {
  const text = '/** An a. */\nexport type A = B[];\n/** A b. */\ntype B = string;'
  expect(findDocProblems(pagesOf(text))).toEqual(['kit: A mentions B, which is not exported'])
})

test('ignores members that are tagged as internal, and what they mention', () => {
  const text =
    '/** An a. */\nexport type A = {\n  /** @internal The b. */\n  b: B;\n};\ntype B = string;'
  expect(findDocProblems(pagesOf(text))).toEqual([])
})

test.each(['@see spec §3.20', '@see docs/kit.md'])('reports the citation "%s"', (citation) => {
  const text = `/**\n * An a.\n *\n * ${citation}\n */\nexport type A = string;`
  const cited = citation.replace(/^@see /, '').replace(/(?<=§).*/, '')
  expect(findDocProblems(pagesOf(text))).toEqual([
    `kit: A cites "${cited}", which the package does not contain`,
  ])
})

test('reports a page that is missing, has changed, or is not generated', () => {
  const root = makeTree({ 'docs/api/kit.md': 'old', 'docs/api/gone.html': '' })
  const pages = new Map([
    ['README.md', 'index'],
    ['kit.md', 'new'],
  ])
  expect(findStalePages(root, pages)).toEqual(
    ['README.md', 'kit.md', 'gone.html'].map(
      (file) => `docs/api/${file} is not up to date: run \`npm run docs:api\``,
    ),
  )
  const current = makeTree({ 'docs/api/README.md': 'index', 'docs/api/kit.md': 'new' })
  expect(findStalePages(current, pages)).toEqual([])
})

test('renders a type as a table with defaults, examples and links', () => {
  const text = [
    '/** An a. */\nexport type A = B & {\n  /**\n   * The c.\n   *\n   * @default 1\n   * @example { c: 2 }\n   */\n  c?: 1 | 2;\n};',
    '/** A b. */\nexport type B = string;',
  ].join('\n')
  expect(renderPages(pagesOf(text)).get('kit.md')).toContain(`### A

An a.

\`\`\`tsx
type A = B & { … }
\`\`\`

| property | type | description |
| --- | --- | --- |
| \`c?\` | \`1 \\| 2\` | The c.<br>Default: \`1\` |

\`\`\`tsx
{ c: 2 }
\`\`\`

See [B](#b).
`)
})
