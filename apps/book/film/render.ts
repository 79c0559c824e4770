/**
 * Renders and encodes the background film: `node film/render.ts`.
 *
 * Renders `film.html` frame by frame in Chromium and writes `public/film.webm`, `public/film.mp4` and
 * the poster. Needs Chromium and ffmpeg. Frames are cached in `.gatefold/film` by a hash of the source,
 * so a second run with the same source only encodes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser } from './browser.ts'
import { findProgram } from './program.ts'

const width = 1600
const height = 900
const framesPerSecond = 30
const frames = 12 * framesPerSecond
/** Frame of the animation at which the film starts. It is also the poster, so nothing jumps when playback starts. */
const firstFrame = 43
/** Size limit for each video file, in bytes. */
const limitBytes = 1_350_000

const here = import.meta.dirname
const publicFolder = join(here, '../public')
const page = join(here, 'film.html')
const drawing = createHash('sha256').update(readFileSync(page)).digest('hex').slice(0, 12)
const folder = join(here, '../../../.gatefold/film', `${drawing}-${width}x${height}-${firstFrame}`)
const ffmpeg = findProgram(['ffmpeg'], 'Install ffmpeg (Debian: apt-get install ffmpeg).')

// Tags the color space, because decoders guess differently for untagged files.
const color = words(`
  -vf scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd,format=yuv420p
  -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv
`)

await draw()
encode('film.webm', [25, 27, 29, 31, 34, 37, 40], (crf) =>
  words(`
    -c:v libvpx-vp9 -b:v 0 -crf ${crf} -deadline good -cpu-used 1 -row-mt 1 -threads 2
    -g ${frames} -lag-in-frames 25 -auto-alt-ref 1 -aq-mode 0
  `),
)
// aq-mode 3 gives more bits to dark, flat areas, which would otherwise show banding
encode('film.mp4', [24, 25, 26, 27, 28, 30], (crf) =>
  words(`
    -c:v libx264 -crf ${crf} -preset slower -threads 2
    -x264-params aq-mode=3:aq-strength=1:keyint=${frames}:bframes=5 -movflags +faststart
  `),
)
poster()

/** Renders the missing frames. */
async function draw() {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const missing = Array.from({ length: frames }, (_, i) => i).filter((i) => !existsSync(frame(i)))
  if (missing.length === 0) return
  const browser = await openBrowser()
  try {
    const tab = await browser.newPage({ viewport: { width, height } })
    await tab.goto(`${pathToFileURL(page).href}?t=0&w=${width}&h=${height}`)
    for (const i of missing) {
      const url = await tab.evaluate(drawFrame, (firstFrame + i) / frames)
      writeFileSync(`${frame(i)}.part`, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
      renameSync(`${frame(i)}.part`, frame(i))
      if (i % framesPerSecond === 0) log(`rendered ${i} of ${frames}`)
    }
  } finally {
    await browser.close()
  }
}

/** Runs in the page: renders one frame as a PNG. */
function drawFrame(t: number): string {
  const { drawFilm } = window as unknown as { drawFilm: (t: number) => void }
  drawFilm(t)
  return (document.querySelector('canvas') as HTMLCanvasElement).toDataURL('image/png')
}

/** Encodes at the best quality (lowest number) that keeps the file within the size limit. */
function encode(name: string, qualities: number[], options: (quality: number) => string[]) {
  const file = join(publicFolder, name)
  for (const quality of qualities) {
    const input = ['-framerate', String(framesPerSecond), '-i', join(folder, '%03d.png')]
    run([...input, '-an', ...color, ...options(quality), '-map_metadata', '-1', file])
    const { size } = statSync(file)
    log(`${name} at crf ${quality}: ${size} bytes`)
    if (size < limitBytes) return
  }
  throw new Error(`${name} exceeds ${limitBytes} bytes at every CRF tried: ${qualities.join(', ')}`)
}

function poster() {
  const input = ['-i', frame(0), '-frames:v', '1']
  run([...input, '-c:v', 'libwebp', '-quality', '72', join(publicFolder, 'film-poster.webp')])
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function frame(i: number) {
  return join(folder, `${String(i).padStart(3, '0')}.png`)
}

function run(args: string[]) {
  execFileSync(ffmpeg, ['-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: 'inherit' })
}

function log(line: string) {
  process.stdout.write(`film: ${line}\n`)
}
