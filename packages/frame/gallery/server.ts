import { createServer } from 'vite'

export type RunningGallery = { url: string; stop(): Promise<void> }

/** Serves the scenes of approvals from their sources. */
export async function startGallery(): Promise<RunningGallery> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
    optimizeDeps: { entries: ['main.tsx'] },
    server: { port: 0, host: '127.0.0.1', hmr: false, fs: { allow: ['../../..'] } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  })
  await server.listen()
  const { port } = server.httpServer!.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
