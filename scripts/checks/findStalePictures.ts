import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPictures } from '../pictures.ts'

/**
 * Reports bundled pictures that differ from the output of `scripts/pictures.ts`.
 *
 * @returns One line for each problem.
 */
export function findStalePictures(root: string): string[] {
  return [...createPictures(root)].flatMap(([path, text]) =>
    existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === text
      ? []
      : [`${path} is out of date. Run \`node scripts/pictures.ts\`.`],
  )
}
