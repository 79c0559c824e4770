import { expect, test } from 'vitest'
import { findLuaMutants } from './findLuaMutants.ts'

/** The changed lines of a script. */
function linesOf(script: string): string[] {
  const source = `const text = 'a < b'\nconst script = \`\n${script}\nredis.call()\``
  return findLuaMutants('a.ts', source)
    .map(({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end))
    .filter((text) => text.includes('redis.call()'))
    .map((text) => text.split('\n').slice(2, -1).join('\n'))
}

test.each([
  ['a comparison', 'local a = b < c', ['local a = b <= c', 'local a = b >= c']],
  ['an equality', 'local a = b == c', ['local a = b ~= c']],
  ['a logical operator', 'local a = b and not c', ['local a = b or not c', 'local a = b and c']],
  [
    'arithmetic',
    'local a = b + math.max(c, d)',
    ['local a = b - math.max(c, d)', 'local a = b + math.min(c, d)'],
  ],
  ['a number', 'local a = 9', ['local a = 10']],
  ['a condition', 'if a then', ['if true then', 'if false then']],
  ['the end of a loop', 'until a', ['until true']],
  ['an assignment', 'a, b = c, d', ['']],
  [
    'an assignment in one line',
    'if a then b = c end',
    ['if true then b = c end', 'if false then b = c end', 'if a then  end'],
  ],
  ['a command', "redis.call('DEL',\n  f(a))", ['']],
  ['a break', 'break', ['']],
  [
    'neither comments, strings, interpolations nor positions',
    "local a = '1 < 2' .. ${limit} .. b[1] -- 3",
    [],
  ],
])('changes %s', (_, script, lines) => {
  expect(linesOf(script)).toEqual(lines)
})
