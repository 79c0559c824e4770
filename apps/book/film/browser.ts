import { chromium, type Browser } from 'playwright-core'
import { findProgram } from './program.ts'

/** Opens a headless Chromium for drawing. Development only. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findProgram(
    [process.env['CHROME_PATH'], 'chromium', 'chromium-browser', 'google-chrome'],
    'Install Chromium (Debian: apt-get install chromium) or set CHROME_PATH.',
  )
  // Chromium refuses its sandbox to root, which is what containers run as.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
