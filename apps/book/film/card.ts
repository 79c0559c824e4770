/** Renders `public/card.jpg`, the social card: `node film/card.ts`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser } from './browser.ts'

const browser = await openBrowser()
try {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await tab.goto(pathToFileURL(join(import.meta.dirname, 'card.html')).href)
  await tab.evaluate(() => document.fonts.ready)
  const path = join(import.meta.dirname, '../public/card.jpg')
  await tab.screenshot({ path, type: 'jpeg', quality: 88 })
} finally {
  await browser.close()
}
