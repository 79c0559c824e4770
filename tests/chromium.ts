import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A Chromium executable, with the environment variables it needs. */
export type Chromium = { executablePath: string; env: Record<string, string> }

const root = fileURLToPath(new URL('..', import.meta.url))

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const defaultPaths: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    process.env['PROGRAMFILES'],
    process.env['PROGRAMFILES(X86)'],
    process.env['LOCALAPPDATA'],
  ]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
}

/**
 * Finds a Chromium. Looks at `CHROME_PATH`, then on the PATH, then in the system's default
 * locations. On Linux, then uses the npm package @sparticuz/chromium, which is unpacked once into
 * `.tools/`.
 *
 * @throws Error with installation instructions if no Chromium is found.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<Chromium> {
  const named = env['CHROME_PATH']
  if (named) {
    if (isExecutable(named)) return { executablePath: named, env: {} }
    throw new Error(`CHROME_PATH is ${named}, which is not executable.`)
  }
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  const found = [...onPath, ...(defaultPaths[process.platform] ?? [])].find(isExecutable)
  if (found) return { executablePath: found, env: {} }
  const packed = process.platform === 'linux' ? await unpackChromium() : undefined
  if (packed) return packed
  throw new Error(
    'No Chromium was found. Install Chrome or Chromium (Debian: apt-get install chromium),\n' +
      'or set CHROME_PATH to one, and run again.',
  )
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Unpacks the Chromium in @sparticuz/chromium. @returns undefined if the package is not installed
 */
async function unpackChromium(): Promise<Chromium | undefined> {
  const entry = resolvePackage('@sparticuz/chromium')
  if (entry === undefined) return undefined
  const packed = join(dirname(entry), '..')
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(root, '.tools', `chromium-${manifest.version}`)
  if (!existsSync(folder)) await unpackInto(folder, entry, join(packed, 'bin'))

  const executablePath = join(folder, 'chromium')
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  if (runs(executablePath, fonts)) return { executablePath, env: fonts }
  // Minimal systems lack NSS and Expat; the package bundles them for AWS Lambda.
  const libraries = join(folder, 'al2023/lib')
  const env = { ...fonts, LD_LIBRARY_PATH: libraries }
  if (runs(executablePath, env)) return { executablePath, env }
  throw new Error(
    `The Chromium of @sparticuz/chromium does not run on this system (${executablePath}).\n` +
      'Install Chrome or Chromium from your system, or set CHROME_PATH.',
  )
}

function resolvePackage(name: string) {
  try {
    return fileURLToPath(import.meta.resolve(name))
  } catch {
    try {
      return createRequire(import.meta.url).resolve(name)
    } catch {
      return undefined // an optional dependency
    }
  }
}

async function unpackInto(folder: string, entry: string, archives: string) {
  const staging = `${folder}-${process.pid}`
  await mkdir(staging, { recursive: true })
  const files = ['chromium', 'fonts.tar', 'swiftshader.tar', 'al2023.tar'].map((name) =>
    join(archives, `${name}.br`),
  )
  const code = `const { inflate } = await import(${JSON.stringify(entry)})
    await Promise.all(${JSON.stringify(files)}.map((file) => inflate(file)))`
  try {
    // The package unpacks into TMPDIR, so a child process with another TMPDIR unpacks it.
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, TMPDIR: staging, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const status = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    if (status !== 0) throw new Error(`Could not unpack @sparticuz/chromium into ${staging}.`)
    await writeFile(join(staging, 'fonts.conf'), fontsConf(join(folder, 'fonts')))
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another process has unpacked it in the meantime.
    if (!existsSync(folder)) throw error
  }
}

/**
 * Adds the package's fonts after the system's fonts. Chromium renders no text if there are no
 * fonts.
 */
function fontsConf(bundled: string) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${bundled}</dir>
  <cachedir>${bundled}-cache</cachedir>
</fontconfig>
`
}

function runs(executablePath: string, env: Record<string, string>) {
  const options = { env: { ...process.env, ...env }, timeout: 20_000, encoding: 'utf8' } as const
  return spawnSync(executablePath, ['--version'], options).status === 0
}
