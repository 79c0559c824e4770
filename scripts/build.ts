import { buildBook } from '@gatefold/book'

// npm run build: what needs building before it is served. Packages run from their sources.
const built = await buildBook()
console.log(`book: ${built ? 'built' : 'nothing changed since the last build'}`)
