import { describe, expect, it } from 'vitest'
import { findCitationProblems } from './findCitationProblems.ts'
import { makeTree } from './makeTree.ts'

const documents = {
  'docs/relay.md':
    '# Relay\n\n## Keep-alive\n\n```sh\n# no heading\n```\n\n## `POST /rpc`, twice\n',
  'docs/adr/0001-a.md': '# 1. A decision\n',
}

function problems(path: string, text: string) {
  return findCitationProblems(makeTree({ ...documents, [path]: text }))
}

describe('findCitationProblems', () => {
  it.each([
    ['src/a.ts', '/** @see docs/relay.md#keep-alive; spec §4.1.2; EIP-1193 */'],
    ['src/a.ts', "const docsPath = 'docs/relay.md#post-rpc-twice'"],
    ['README.md', '[keep-alive](docs/relay.md#keep-alive), [why](docs/adr), [site](https://a.md)'],
    ['docs/kit.md', '# Kit\n\n[below](#kit) and [there](relay.md) and `docs/adr/0001-a.md`'],
    ['docs/kit.md', '`packages/*/src`, `apps/<name>/src` and `npm run docs/x` are no paths'],
    [
      'packages/kit/src/README.md',
      '`src/README.md` from the package, `docs/relay.md` from the root',
    ],
    ['docs/views.md', '[views.md](views.md)'],
    ['docs/kit.md', 'the contract on the wire, and a model of threats'],
  ])('accepts in %s: %s', (path, text) => {
    expect(problems(path, text)).toEqual([])
  })

  it.each([
    ['a.ts', '// views.md 1.2', '"views.md", which is not in the repository'],
    [
      'a.ts',
      '// @see contracts/relay.md 2.4',
      '"contracts/relay.md", which is not in the repository',
    ],
    [
      'a.ts',
      '// See the contract of the relay, 3.',
      '"contract of the relay", which is not in the repository',
    ],
    ['a.md', 'as the threat model says', '"threat model", which is not in the repository'],
    ['a.ts', '// @see design, “Connecting”', '"@see design", which is not in the repository'],
    ['a.ts', '// docs/hub.md', 'docs/hub.md, which does not exist'],
    [
      'a.ts',
      '// docs/relay.md#no-heading',
      'docs/relay.md#no-heading, which has no section #no-heading',
    ],
    ['docs/a.md', '[b](b.md)', 'b.md, which does not exist'],
    ['docs/a.md', '[b](relay.md#b)', 'relay.md#b, which has no section #b'],
    ['docs/a.md', '`packages/kit/src/a.ts`', 'packages/kit/src/a.ts, which does not exist'],
  ])('error: reports in %s: %s', (path, text, problem) => {
    expect(problems(path, text)).toEqual([`${path} cites ${problem}`])
  })
})
