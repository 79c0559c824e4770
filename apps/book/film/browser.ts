import { chromium, type Browser } from 'playwright-core'
import { findProgram } from './program.ts'

/** Starts a headless Chromium for rendering. Development only. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findProgram(
    [process.env['CHROME_PATH'], 'chromium', 'chromium-browser', 'google-chrome'],
    'Install Chromium (Debian: apt-get install chromium) or set CHROME_PATH.',
  )
  // Chromium's sandbox does not work as root, which is common in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
