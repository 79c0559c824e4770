import type { Doc, Item, Member } from './readApi.ts'

/** A page of the reference: an import path and its exports. */
export type Page = {
  /** The import path, such as `@gatefold/kit/react`. */
  specifier: string
  /** The file name of the page. */
  file: string
  items: readonly Item[]
}

/** Groups of a page, in order. */
const groups: readonly { title: string; has: (item: Item) => boolean }[] = [
  { title: 'Components', has: ({ name, kind }) => kind === 'function' && /^[A-Z]/.test(name) },
  { title: 'Hooks', has: ({ name, kind }) => kind === 'function' && /^use[A-Z]/.test(name) },
  { title: 'Functions', has: ({ kind }) => kind === 'function' },
  { title: 'Constants', has: ({ kind }) => kind === 'constant' },
  { title: 'Errors', has: ({ kind }) => kind === 'class' },
  { title: 'Types', has: () => true },
]

const note =
  '<!-- Generated from the types by `npm run docs:api`. Edit the JSDoc in the sources instead. -->'

/** Renders pages to Markdown, by file name. */
export function renderPages(pages: readonly Page[]): Map<string, string> {
  const places = new Map<string, string>()
  for (const { file, items } of pages)
    for (const item of items) places.set(keyOf(item), `${file}#${item.name.toLowerCase()}`)
  const linkTo = (file: string) => (item: Item) => {
    const place = places.get(keyOf(item))
    return place?.startsWith(`${file}#`) ? place.slice(file.length) : place
  }
  return new Map([
    ['README.md', renderIndex(pages)],
    ...pages.map((page) => [page.file, renderPage(page, linkTo(page.file))] as const),
  ])
}

export function keyOf({ path, name }: Item): string {
  return `${path}#${name}`
}

function renderIndex(pages: readonly Page[]): string {
  const lines = pages.flatMap(({ specifier, file, items }) => {
    const names = grouped(items).map(
      ({ title, found }) =>
        `${title.toLowerCase()}: ${found.map(({ name }) => `[${name}](${file}#${name.toLowerCase()})`).join(', ')}`,
    )
    return [`## [\`${specifier}\`](${file})`, '', ...names.map((text) => `- ${text}`), '']
  })
  return `${[
    note,
    '',
    '# API reference',
    '',
    'Every export of the published entries. A chain family (`ChainNamespace`) is named as in CAIP-2: `eip155`, `solana`, `bip122` … A `CaipNetworkId` is a chain’s CAIP-2 id, such as `eip155:1`.',
    '',
    ...lines,
  ]
    .join('\n')
    .trim()}\n`
}

function renderPage(page: Page, linkTo: (item: Item) => string | undefined): string {
  const sections = grouped(page.items).flatMap(({ title, found }) => [
    `## ${title}`,
    ...found.map((item) => renderItem(item, linkTo)),
  ])
  return `${[note, `# ${page.specifier}`, '[All entries](README.md)', ...sections].join('\n\n')}\n`
}

function grouped(items: readonly Item[]) {
  const rest = new Set(items)
  return groups.flatMap(({ title, has }) => {
    const found = [...rest].filter(has)
    for (const item of found) rest.delete(item)
    return found.length > 0 ? [{ title, found }] : []
  })
}

function renderItem(item: Item, linkTo: (item: Item) => string | undefined): string {
  const { name, kind, doc, members } = item
  const isTable = kind === 'type' && item.outline !== undefined && members.length > 0
  const links = item.references
    .flatMap((other) => {
      const place = linkTo(other)
      return place && other.name !== name ? [`[${other.name}](${place})`] : []
    })
    .toSorted()
  return [
    `### ${name}`,
    ...(doc?.text ? [doc.text] : []),
    ...(kind === 'class' ? [] : [fence(isTable ? item.outline! : withTwoSpaces(item.code))]),
    ...(doc ? renderTags(doc) : []),
    ...(isTable ? [renderTable(members)] : []),
    ...(isTable ? members.flatMap(renderExamples) : []),
    ...(links.length > 0 ? [`See ${links.join(', ')}.`] : []),
  ].join('\n\n')
}

function renderTags({ tags }: Doc): string[] {
  const of = (...names: string[]) => tags.filter(({ name }) => names.includes(name))
  const list = [
    ...of('param').map(({ text }) => `- ${text.replace(/^(\S+)(?: -)? /, '`$1`: ')}`),
    ...of('returns').map(({ text }) => `- returns ${text}`),
    ...of('throws').map(({ text }) => `- throws ${text.replace(/^\{(\w+)\}/, '`$1`:')}`),
    ...of('see').map(({ text }) => `- see ${text}`),
  ].map((line) => line.replaceAll(/\s*\n\s*/g, ' '))
  return [
    ...(list.length > 0 ? [list.join('\n')] : []),
    ...of('example').map(({ text }) => fence(text)),
  ]
}

function renderTable(members: readonly Member[]): string {
  const rows = members.map(({ name, type, optional, doc }) => {
    const standard = doc?.tags.find((tag) => tag.name === 'default')
    const text = `${doc?.text ?? ''}${standard ? `<br>Default: ${codeUnless(standard.text)}` : ''}`
    return `| \`${name}${optional ? '?' : ''}\` | \`${cell(type.replace(/ \| undefined$/, ''))}\` | ${cell(text)} |`
  })
  return ['| property | type | description |', '| --- | --- | --- |', ...rows].join('\n')
}

/** A default value as code, unless it is a sentence. */
function codeUnless(text: string): string {
  return / (?:or|of|on|and|in) /.test(text) || text.startsWith('the ')
    ? text
    : `\`${text.replaceAll('`', '')}\``
}

function renderExamples({ doc }: Member): string[] {
  return (doc?.tags ?? []).filter(({ name }) => name === 'example').map(({ text }) => fence(text))
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** The compiler indents declarations by four spaces. */
function withTwoSpaces(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
}

function fence(code: string): string {
  return `\`\`\`tsx\n${code}\n\`\`\``
}
