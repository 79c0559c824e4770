import type { Random } from './random.ts'

type Json = unknown

/** Usual maximum length of long texts. */
const longText = 20_000
/** Maximum length of a list of repeated items, in characters of JSON. */
const longestText = 2_000_000

/** Texts that parsers and databases often handle incorrectly. */
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e',
  '\u2028',
  '😀'.repeat(50),
  'ǅ\u0301'.repeat(50),
  '__proto__',
  'constructor',
  'toString',
  '%00',
  '%ff',
  '../../etc/passwd',
  '${7*7}',
  "' or 1=1 --",
  '<script>',
  '2.0',
  'null',
  'NaN',
  '0x',
  'did:key:z6Mk',
  'eip155:1',
  'a'.repeat(64),
  'A'.repeat(64),
]

const oddNumbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-7,
  59,
  60,
  501,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
]

/** Creates a random JSON value. */
function oddValue(random: Random): Json {
  switch (random.below(12)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.pick(oddNumbers)
    case 4:
      return random.chance(0.02)
        ? 'x'.repeat(1_200_000)
        : random.pick(['x', 'é', '\u0001', '"', '\\', '😀']).repeat(random.below(longText))
    case 5:
      return []
    case 6:
      return {}
    case 7:
      return nested(random.below(random.chance(0.1) ? 1_000 : 150), random.chance(0.5))
    case 8:
      return Array.from({ length: random.below(1_200) }, () => random.pick(oddTexts))
    case 9:
      return JSON.parse('{"__proto__":{"a":1},"constructor":1}')
    default:
      return random.pick(oddTexts)
  }
}

function nested(depth: number, isList: boolean): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value }
  return value
}

/** Copies a value, and replaces, removes, adds or repeats some of its members. */
export function mutateValue(random: Random, value: Json): Json {
  let mutated = structuredClone(value)
  for (let count = 1 + random.below(3); count > 0; count -= 1) mutated = mutateOnce(random, mutated)
  return mutated
}

function mutateOnce(random: Random, value: Json): Json {
  const isLeaf = typeof value !== 'object' || value === null
  if (isLeaf || random.chance(0.1)) return replace(random, value)
  const keys = Object.keys(value)
  if (keys.length === 0 || random.chance(0.1)) return replace(random, value)
  const key = random.pick(keys)
  if (Array.isArray(value)) {
    const index = Number(key)
    if (random.chance(0.15)) return value.toSpliced(index, 1)
    if (random.chance(0.15)) {
      const size = JSON.stringify(value[index])?.length ?? 1
      return Array(random.below(Math.ceil(Math.min(600, longestText / size)))).fill(value[index])
    }
    return value.with(index, mutateOnce(random, value[index]))
  }
  const members = value as Record<string, Json>
  if (random.chance(0.12)) {
    const { [key]: _removed, ...rest } = members
    return rest
  }
  if (random.chance(0.1)) return { ...members, [random.pick(oddTexts)]: oddValue(random) }
  return { ...members, [key]: mutateOnce(random, members[key]) }
}

/** Creates a different value, often of a related type. */
function replace(random: Random, value: Json): Json {
  if (random.chance(0.6)) return oddValue(random)
  if (typeof value === 'string') {
    const at = random.below(value.length + 1)
    return random.pick([
      value.slice(0, at),
      value.slice(0, at) + random.pick(oddTexts) + value.slice(at),
      value.toUpperCase(),
      value + value,
      [value],
      { value },
      Number(value),
    ])
  }
  if (typeof value === 'number') return random.pick([String(value), -value, value + 0.5, [value]])
  return random.pick([[value], { value }, JSON.stringify(value)])
}

/** Formats a value as JSON, sometimes with errors. */
export function mutateJson(random: Random, value: Json): string {
  const text = JSON.stringify(value) ?? ''
  if (random.chance(0.7)) return text
  const at = random.below(text.length + 1)
  const insert = (inserted: string) => text.slice(0, at) + inserted + text.slice(at)
  switch (random.below(14)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return insert(random.bytes(1 + random.below(8)).toString('latin1'))
    case 3:
      return insert(random.pick(oddTexts))
    // Duplicate members.
    case 4:
      return text.replace('{', `{"id":${random.pick(['1', '"1"', 'null', '{}', '1e400'])},`)
    case 5:
      return text.replace('{', `{"\\u0069d":7,${text.slice(1, at)},`)
    case 6:
      return text.replace(
        /\d+/,
        random.pick(['1e999999', '-0', '9'.repeat(400), '00', '1.', '0x1']),
      )
    case 7:
      return deepText(random)
    case 8:
      return insert(deepText(random))
    case 9:
      return `\ufeff${text}`
    case 10:
      return `${' \n'.repeat(random.below(5_000))}${text}`
    case 11:
      return `${text}${text}`
    case 12:
      return text.replaceAll('"', "'")
    default:
      return insert(random.pick(['\\u', '\\ud800', '\\x', ',', ',,', ':', '//', 'undefined']))
  }
}

/** Creates deeply nested JSON, sometimes without the closing brackets. */
function deepText(random: Random): string {
  const depth = random.below(random.chance(0.05) ? 400_000 : 20_000)
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"id":', '}]'],
  ] as const)
  return open.repeat(depth) + (random.chance(0.3) ? '' : `1${close.repeat(depth)}`)
}

/** Replaces, removes or adds some characters of a text. */
export function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + random.pick(oddTexts) + text.slice(at),
    text.slice(0, at) + random.pick(oddTexts),
    random.pick(oddTexts),
    text + 'x'.repeat(random.below(longText)),
    text.toUpperCase(),
  ])
}
