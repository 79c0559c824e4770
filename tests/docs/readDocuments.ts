import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced code block of a document. */
export type Block = {
  /** The document, relative to the root, such as `docs/kit.md`. */
  document: string
  /** Line of the opening fence, from 1. */
  line: number
  /** `''` for a diagram. */
  language: string
  /**
   * From the info string: `app=vite` gives `{ app: 'vite' }`. In TypeScript, a first line `// src/App.tsx`
   * gives `file`.
   */
  attributes: Record<string, string>
  code: string
  /** Code that the block needs but does not show, from a comment `<!-- with … -->` directly above it. */
  hidden: string
}

/** A command in the text of a document, such as `npm run bench`. */
export type InlineCommand = { document: string; line: number; command: string }

/** The documents whose code is tested: README.md, CONTRIBUTING.md and all pages in `docs/`. */
export function readDocuments(root: string): { blocks: Block[]; commands: InlineCommand[] } {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .toSorted()
  const read = ['README.md', 'CONTRIBUTING.md', ...pages].map((document) =>
    readDocument(document, readFileSync(join(root, document), 'utf8')),
  )
  return {
    blocks: read.flatMap(({ blocks }) => blocks),
    commands: read.flatMap(({ commands }) => commands),
  }
}

/** Reads one document. A fence may be indented, as in a list. */
export function readDocument(document: string, text: string) {
  const blocks: Block[] = []
  const commands: InlineCommand[] = []
  const lines = text.split('\n')
  let hidden = ''
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!
    if (line.trim() === '<!-- with') {
      const end = lines.indexOf('-->', index)
      if (end < 0) throw new Error(`${document}:${index + 1}: the comment has no end, “-->”.`)
      hidden = lines.slice(index + 1, end).join('\n')
      index = end
      continue
    }
    const fence = /^( *)(```+)(\S*)(.*)$/.exec(line)
    if (!fence) {
      if (line.trim() !== '') hidden = ''
      for (const [, command = ''] of line.matchAll(/`([^`]+)`/g))
        if (isCommand(command)) commands.push({ document, line: index + 1, command })
      continue
    }
    const [, indent = '', ticks = '', language = '', info = ''] = fence
    const end = lines.findIndex((other, at) => at > index && other === indent + ticks)
    if (end < 0) throw new Error(`${document}:${index + 1}: the code block has no end.`)
    const code = lines
      .slice(index + 1, end)
      .map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one))
      .join('\n')
    const [, file] = (language.startsWith('ts') && /^\/\/ ([\w./-]+\.tsx?)$/m.exec(code)) || []
    const attributes = {
      ...(file !== undefined && code.startsWith(`// ${file}`) && { file }),
      ...readAttributes(info),
    }
    blocks.push({ document, line: index + 1, language, attributes, code, hidden })
    hidden = ''
    index = end
  }
  return { blocks, commands }
}

/** Reads `file=src/App.tsx no-check="the reason"`. */
function readAttributes(info: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(info.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g), ([, name, quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  )
}

const programs =
  /^(?:npm (?:start|test|run|ci|install|pack|create)(?= |$)|(?:npx|node|gatefold|redis-cli|docker) )/

function isCommand(text: string) {
  return programs.test(text) && !/[…()]|^node [A-Z]/.test(text)
}

/** The commands of a shell block, without comments. A line that ends with `\` continues. */
export function readCommands(code: string): string[] {
  return code
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter((line) => line !== '')
}
