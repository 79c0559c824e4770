import { expect, it } from 'vitest'
import { findLargeFolders } from './findLargeFolders.ts'
import { makeTree } from './makeTree.ts'

const files = (folder: string, count: number, extension: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}${extension}`, '']))

it('counts the code files of each folder, without tests and subfolders', () => {
  const root = makeTree({
    ...files('packages/kit/src', 25, '.ts'),
    ...files('packages/kit/src', 30, '.test.ts'),
    ...files('packages/kit/src/ui', 20, '.tsx'),
    ...files('packages/kit/src/ui', 6, '.css'),
  })
  expect(findLargeFolders(root)).toEqual([
    'packages/kit/src/ui contains 26 code files, but at most 25 are allowed. Split it into subfolders.',
  ])
})
