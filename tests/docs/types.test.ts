import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as kit from '@gatefold/kit'
import * as chains from '@gatefold/kit/chains'
import * as core from '@gatefold/kit/core'
import * as embedded from '@gatefold/kit/embedded'
import * as evm from '@gatefold/kit/evm'
import * as react from '@gatefold/kit/react'
import { installPublished } from '../published/install.ts'
import { readDocument, readDocuments, type Block } from './readDocuments.ts'
import { isSignature, writeBlocks, type Written } from './writeBlocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Documents whose blocks are checked elsewhere: each block is a region of a program that is
 * type-checked and run.
 */
const checkedElsewhere: Record<string, string> = {
  'CONTRIBUTING.md':
    'uses test helpers that are not published; tests/browser.test.ts uses all of them',
  'docs/sign.md':
    'tests/sign/docs.test.ts compares each block with tests/sign/examples and runs them',
}

/**
 * Whether a block is a file of an app in `examples/`, word for word. tests/examples installs, type-checks
 * and runs these apps, each with the dependencies of its framework.
 */
function isInExample({ attributes: { file }, code }: Block) {
  if (file === undefined || !existsSync(join(root, 'examples'))) return false
  const text = code.split('\n').slice(1).join('\n').trim()
  return readdirSync(join(root, 'examples'))
    .map((app) => join(root, 'examples', app, file))
    .some((path) => existsSync(path) && readFileSync(path, 'utf8').trim() === text)
}

const { blocks } = readDocuments(root)
const samples = blocks.filter((block) => {
  const { document, language, attributes } = block
  return (
    ['ts', 'tsx', 'js', 'jsx'].includes(language) &&
    !(document in checkedElsewhere) &&
    !isSignature(block) &&
    !isInExample(block) &&
    attributes['no-check'] === undefined
  )
})

let site: string
beforeAll(async () => {
  ;({ site } = await installPublished())
  linkImports(site)
}, 300_000)
afterAll(() => rmSync(site, { recursive: true, force: true }))

test('every TypeScript block compiles against the packed packages', async () => {
  const written = writeBlocks(site, samples, {
    '@gatefold/kit/react': Object.keys(react),
    '@gatefold/kit/core': Object.keys(core),
    '@gatefold/kit/evm': Object.keys(evm),
    '@gatefold/kit/embedded': Object.keys(embedded),
    '@gatefold/kit/chains': Object.keys(chains),
    '@gatefold/kit': Object.keys(kit),
  })
  expect(written.size).toBeGreaterThan(5)
  const output = await compile()
  const errors = output
    .split('\n')
    .filter((line) => /error TS/.test(line))
    .map((line) => toDocument(line, written))
  expect(errors).toEqual([])
}, 300_000)

test('a block that is not checked has a reason', () => {
  const unchecked = blocks.filter(({ attributes }) => attributes['no-check'] !== undefined)
  for (const { document, line, attributes } of unchecked)
    expect(attributes['no-check'], `${document}:${line}`).toMatch(/\w+ \w+/)
})

test('JSON blocks parse, and every other block has a known language', () => {
  for (const { document, line, language, code } of blocks) {
    const place = `${document}:${line}`
    expect(
      ['', 'text', 'ts', 'tsx', 'sh', 'json', 'css', 'html', 'conf', 'ini', 'nginx'],
      place,
    ).toContain(language)
    const parse = () => language === 'json' && (JSON.parse(code) as unknown)
    expect(parse, place).not.toThrow()
  }
})

describe('reading documents', () => {
  const page = `
<!-- with
import { a } from 'a'
-->
\`\`\`tsx app=vite no-check="for a reason"
// src/App.tsx
a()
\`\`\`

- Run \`npm run bench\`, not \`gatefold.db\` or \`npm\`:

  \`\`\`sh
  gatefold serve   # a comment
  npm test -- \\
    one
  \`\`\`
`
  test('finds blocks with their attributes and hidden lines, and commands in the text', () => {
    expect(readDocument('x.md', page)).toEqual({
      blocks: [
        {
          document: 'x.md',
          line: 5,
          language: 'tsx',
          attributes: { file: 'src/App.tsx', app: 'vite', 'no-check': 'for a reason' },
          code: '// src/App.tsx\na()',
          hidden: "import { a } from 'a'",
        },
        {
          document: 'x.md',
          line: 12,
          language: 'sh',
          attributes: {},
          code: 'gatefold serve   # a comment\nnpm test -- \\\n  one',
          hidden: '',
        },
      ],
      commands: [{ document: 'x.md', line: 10, command: 'npm run bench' }],
    })
  })

  test('error: a block without an end', () => {
    expect(() => readDocument('x.md', '```ts\na()')).toThrow('x.md:1: the code block has no end.')
  })
})

/** Links the installed packages that the blocks import and the site does not have yet. */
function linkImports(site: string) {
  const specifiers = samples.flatMap(({ code, hidden }) =>
    Array.from(
      `${hidden}\n${code}`.matchAll(/(?:from|import|import\() ?'([^'.][^']*)'/g),
      ([, name = '']) => name,
    ),
  )
  const names = specifiers.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  for (const name of new Set([...names, '@types/node'])) {
    const target = join(site, 'node_modules', name)
    const source = ['', 'tests', 'packages/server', 'apps/book']
      .map((folder) => join(root, folder, 'node_modules', name))
      .find((path) => existsSync(path))
    if (!source || existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(realpathSync(source), target, 'junction')
  }
}

/** Runs the compiler with this Node, without the condition `@gatefold/source`. */
function compile(): Promise<string> {
  const args = [join('node_modules', 'typescript/bin/tsc'), '-p', '.', '--pretty', 'false']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: site,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}

/** Replaces the location in a compiler error with the line in the document. */
function toDocument(error: string, written: Map<string, Written>) {
  const [, path = '', line = ''] = /^(.+?)\((\d+),\d+\)/.exec(error) ?? []
  const found = written.get(path)
  if (!found) return error
  const { block, linesAbove } = found
  return `${block.document}:${block.line + Number(line) - linesAbove}${error.slice(error.indexOf(':'))}`
}
