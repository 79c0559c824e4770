import { listen } from '@gatefold/site'
import { build, type Rolldown } from 'vite'

export type RunningGallery = { url: string; stop(): Promise<void> }

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
}

/** Builds the scenes of approvals in memory and serves them. */
export async function startGallery(): Promise<RunningGallery> {
  const { output } = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
    build: { target: 'es2022', write: false, modulePreload: { polyfill: false } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  })) as Rolldown.RolldownOutput
  const files = new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
  return listen(
    (request) => {
      const { pathname } = new URL(request.url)
      const path = pathname === '/' ? '/index.html' : pathname
      const body = files.get(path)
      return new Response(body as BodyInit | undefined, {
        status: body === undefined ? 404 : 200,
        headers: { 'content-type': types[path.split('.').at(-1)!] ?? 'application/octet-stream' },
      })
    },
    { port: 0 },
  )
}
