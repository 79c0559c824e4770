import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { findFiles } from './sources.ts'

/** Patterns for citations of documents that are not in this repository. */
const foreign: readonly RegExp[] = [
  /(?<![\w/.-])(?:views|threat-model|architecture|components(?:-\w+)?|house-style)\.md/,
  /(?<![\w/.-])contracts\/(?:relay|gateway|frame|verify|README)\.md/,
  /\bthreat model\b/i,
  /\bcontracts? of the (?:relay|gateway|frame|verify)\b/i,
  /@see contract\b/,
  /\bdesign boards?\b/i,
  /@see design\b/i,
]

/** Files that contain such citations as examples. */
const exempt = /^scripts\/checks\/findCitationProblems(?:\.test)?\.ts$/

/**
 * Reports citations that a reader of the repository cannot follow: documents outside the repository,
 * links and `docs/….md#section` references without a target, and paths in Markdown documents at which
 * there is no file or folder.
 *
 * @returns One line for each problem.
 */
export function findCitationProblems(root: string): string[] {
  const sections = new Map<string, Set<string>>()
  const hasSection = (path: string, section: string) => {
    const found = sections.get(path) ?? readSections(readFileSync(join(root, path), 'utf8'))
    sections.set(path, found)
    return found.has(section)
  }
  const problemOf = (target: string) => {
    const [path = '', section] = target.split('#')
    if (!existsSync(join(root, path))) return 'does not exist'
    if (section === undefined || !path.endsWith('.md') || hasSection(path, section))
      return undefined
    return `has no section #${section}`
  }

  return findFiles(root, '', /\.(?:[cm]?[jt]sx?|css|sol|sh|html|json|md)$/)
    .filter((path) => !exempt.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const targets = path.endsWith('.md') ? readTargets(root, path, text) : readCited(text)
      const broken = targets.flatMap(({ shown, target }) => {
        const problem = problemOf(target)
        return problem ? [`${path} cites ${shown}, which ${problem}`] : []
      })
      const prose = path.endsWith('.md') ? text.replaceAll(/\[[^\]]*\]\([^)\s]+\)/g, '') : text
      const unknown = foreign.flatMap((pattern) => {
        const match = prose.match(pattern)
        return match ? [`${path} cites "${match[0]}", which is not in the repository`] : []
      })
      return [...new Set([...broken, ...unknown])]
    })
}

type Target = { shown: string; target: string }

/** Finds `docs/x.md` and `docs/x.md#section` anywhere in a text. */
function readCited(text: string): Target[] {
  return [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([target]) => ({
    shown: target,
    target,
  }))
}

/** Matches a path that a document names in backticks. */
const named = /^(?:packages|apps|tests|scripts|bench|docs|src)\/[\w./@-]+$/

/** Finds the links in a document, the paths in backticks, and `docs/x.md` references. */
function readTargets(root: string, path: string, text: string): Target[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(?:[a-z]+:|\/)/.test(link)) return []
    const [file = '', section] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    return [{ shown: link, target: section === undefined ? target : `${target}#${section}` }]
  })
  const paths = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    named.test(code) ? [{ shown: code, target: fromAround(root, path, code) }] : [],
  )
  return [...links, ...paths, ...readCited(withoutLinks(text))]
}

/** Resolves a path in a document, relative to the nearest parent folder in which it exists, or to the root. */
function fromAround(root: string, document: string, path: string): string {
  let folder = posix.dirname(document)
  while (folder !== '.' && !existsSync(join(root, folder, path))) folder = posix.dirname(folder)
  return posix.join(folder, path)
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\]\([^)\s]+\)/g, ']')
}

/** Reads the anchors of a document's headings, as GitHub generates them. */
function readSections(text: string): Set<string> {
  const found = new Set<string>()
  for (const [, heading = ''] of text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6}\s+(.+)$/gm)) {
    const slug = withoutLinks(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    let anchor = slug
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${count}`
    found.add(anchor)
  }
  return found
}
