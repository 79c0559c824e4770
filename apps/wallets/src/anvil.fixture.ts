import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** An empty real chain on a free port, for the wallet's own tests. */
export async function startAnvil(chainId: number) {
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const manifest = createRequire(wrapper).resolve(
    `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/package.json`,
  )
  const anvil = join(dirname(manifest), 'bin', 'anvil')
  const child = spawn(anvil, ['--port', '0', '--chain-id', String(chainId)])
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /Listening on \S+:(\d+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('close', () => reject(new Error(`anvil ended: ${output}`)))
  })
  return { rpcUrl: `http://127.0.0.1:${port}`, stop: () => void child.kill('SIGKILL') }
}
