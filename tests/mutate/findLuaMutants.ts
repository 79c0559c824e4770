import { parseSync } from 'vite'
import { visitNodes } from '../../scripts/checks/visitNodes.ts'

/** A change to a source file: the text from `start` to `end` is replaced. */
export type LuaMutant = { kind: string; start: number; end: number; replacement: string }

/**
 * The changes to the Lua code in the templates of a TypeScript file: of comparisons, operators, numbers, conditions
 * and statements. Comments, strings, interpolations and positions in lists of arguments are not changed.
 */
export function findLuaMutants(file: string, source: string): LuaMutant[] {
  const mutants: LuaMutant[] = []
  visitNodes(parseSync(file, source).program, (node) => {
    if (node['type'] !== 'TemplateLiteral') return
    const { start, end } = node as unknown as { start: number; end: number }
    const code = source.slice(start + 1, end - 1)
    if (!code.includes('redis.call(')) return
    for (const mutant of mutate(mask(code)))
      mutants.push({
        ...mutant,
        start: start + 1 + mutant.start,
        end: start + 1 + mutant.end,
      })
  })
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Replaces what is not changed by other characters. */
function mask(code: string): string {
  return code.replaceAll(
    /^#!.*$|--.*$|'[^'\n]*'|\$\{[^}]*\}|\[\d+\]|\bat \+ \d+|\bfor at = .* do\b/gm,
    (text) => '_'.repeat(text.length),
  )
}

/** For each expression, the texts that replace a match. */
const rules: [kind: string, form: RegExp, replacements: (found: string) => string[]][] = [
  ['comparison', /(?<![<>=~])(?:[<>]=?|[=~]=)(?!=)/g, (found) => comparisons[found]!],
  ['logic', /\b(?:and|or)\b/g, (found) => [found === 'and' ? 'or' : 'and']],
  ['logic', /\bnot /g, () => ['']],
  ['arithmetic', /(?<= )[+\-*%](?= )/g, (found) => [arithmetic[found]!]],
  ['arithmetic', /\bmath\.\w+/g, (found) => [functions[found]!]],
  ['number', /(?<![\w.])\d+(?![\w.])/g, (found) => [`${Number(found) + 1}`]],
  ['condition', /(?<=\b(?:if|elseif|while) )[^]*?(?= (?:then|do)\b)/g, () => ['true', 'false']],
  ['condition', /(?<=\buntil ).*/g, () => ['true']],
  ['statement', /(?<=^ *|then |do )break\b/gm, () => ['']],
  [
    'statement',
    /(?<=^ *|then )(?!local |for |if |elseif )[a-z][\w.[\]#+ ]*(?:, [\w.[\]]+)* = .*?(?= end$|$)/gm,
    () => [''],
  ],
]

const comparisons: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['~='],
  '~=': ['=='],
}
const arithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '%': '*' }
const functions: Record<string, string> = {
  'math.max': 'math.min',
  'math.min': 'math.max',
  'math.floor': 'math.ceil',
  'math.ceil': 'math.floor',
}

function mutate(code: string): LuaMutant[] {
  const mutants: LuaMutant[] = []
  for (const [kind, form, replacementsOf] of rules)
    for (const { 0: found, index: start } of code.matchAll(form)) {
      for (const replacement of replacementsOf(found))
        mutants.push({ kind, start, end: start + found.length, replacement })
    }
  // Calls whose results are not used. Their arguments may contain further calls.
  let last = 0
  for (const { index: start } of code.matchAll(/(?<=^ *|then |do |else )[a-z][\w.]*\(/gm)) {
    if (start < last) continue
    const end = endOfCall(code, start)
    last = end
    mutants.push({ kind: 'statement', start, end, replacement: '' })
  }
  return mutants
}

/** The end of the call that starts at `start`. */
function endOfCall(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    else if (code[at] === ')' && (depth -= 1) === 0) return at + 1
  }
  throw new Error(`unbalanced brackets after ${code.slice(start, start + 40)}`)
}
