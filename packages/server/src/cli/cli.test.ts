import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startUpstream } from '../testing/startUpstream.ts'
import { findName, registerName } from '../storage/names.ts'
import { openStorage } from '../storage/openStorage.ts'
import { helpOf } from './help.ts'
import { names } from './names.ts'
import { project } from './project.ts'
import { scam } from './scam.ts'
import { sponsor } from './sponsor.ts'
import { UsageError } from './UsageError.ts'
import { verify } from './verify.ts'

const bin = join(import.meta.dirname, '../bin.ts')
const node = ['--conditions=@gatefold/source', bin]

let dataDir: string
const children: ChildProcess[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatefold-cli-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

function environment(more: Record<string, string> = {}) {
  const { DATABASE_URL: _database, NODE_COMPILE_CACHE: _cache, ...rest } = process.env
  return { ...rest, GATEFOLD_DATA_DIR: dataDir, GATEFOLD_RPC_URLS: '{}', ...more }
}

/** Runs a command until it exits. */
function gatefold(args: string[], more?: Record<string, string>) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [...node, ...args], { env: environment(more) }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}

/** Starts a server and waits for its ready message. */
async function serve(args: string[] = ['--port', '0'], flags: string[] = []) {
  const child = spawn(process.execPath, [...flags, ...node, 'serve', ...args], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  const lines: string[] = []
  child.stdout!.on('data', (part: Buffer) => lines.push(part.toString()))
  const [message] = (await once(child, 'message')) as [{ type: string; url: string; port: number }]
  return { child, lines, ...message }
}

describe('projects', () => {
  test('are created, changed and listed; a running server applies the changes', async () => {
    const server = await serve()
    const words = 'project create harbor --name Harbor --origin https://*.harbor.example'
    const more = '--origin https://harbor.example --feature swap=off --feature activity=local'
    const made = await gatefold(`${words} ${more} --feature social_login=email,google`.split(' '))
    expect([made.code, made.err]).toEqual([0, ''])
    const read = async (path: string) =>
      (await fetch(`${server.url}${path}?projectId=harbor`)).json() as Promise<
        Record<string, unknown>
      >
    expect(await read('/projects/v1/origins')).toEqual({
      allowedOrigins: ['https://*.harbor.example', 'https://harbor.example'],
    })
    expect((await read('/appkit/v1/config'))['features']).toEqual(
      expect.arrayContaining([
        { id: 'swap', isEnabled: false, config: [] },
        { id: 'social_login', isEnabled: true, config: ['email', 'google'] },
        { id: 'activity', isEnabled: true, config: null },
      ]),
    )
    const changes = ['--analytics', 'off', '--feature', 'swap=on', '--confirm-devices', 'on']
    changes.push('--recovery', 'password,passkey', '--passkey-login', 'on')
    await gatefold(['project', 'set', 'harbor', ...changes])
    const { out } = await gatefold(['project', 'list', '--json'])
    const projects = JSON.parse(out) as { id: string }[]
    expect(projects.map(({ id }) => id)).toEqual(['default', 'harbor'])
    expect(projects[1]).toMatchObject({
      name: 'Harbor',
      analytics: false,
      confirmDevices: true,
      recovery: ['passkey', 'password'],
      passkeyLogin: true,
      defaultOrigins: false,
      features: { swap: ['1inch'], social_login: ['email', 'google'], activity: 'local' },
    })
  })

  test('a project needs only an id and an origin', async () => {
    const { code, out } = await gatefold(
      'project create my-site --origin https://my.site'.split(' '),
    )
    expect(code).toBe(0)
    expect(out).toContain('my-site  my-site\n  origins   https://my.site\n')
  })

  test('§5.7 attack: a new project allows the default origins only with --default-origins on', async () => {
    const server = await serve()
    const create = (id: string, ...more: string[]) => gatefold(['project', 'create', id, ...more])
    const local = ['--origin', 'http://localhost:*']
    expect((await create('plain', ...local)).out).not.toContain('default origins')
    expect((await create('spec', '--default-origins', 'on')).out).toContain('default origins')
    expect((await create('none', '--default-origins', 'off', ...local)).code).toBe(0)
    const statusFrom = async (projectId: string, origin: string) =>
      (await fetch(`${server.url}/getWallets?projectId=${projectId}`, { headers: { origin } }))
        .status
    const hosted = [
      'https://evil.vercel.app',
      'https://evil.pages.dev',
      'https://evil.ngrok-free.app',
      'https://secure-mobile.walletconnect.com',
    ]
    for (const origin of hosted) {
      expect(await statusFrom('plain', origin), origin).toBe(401)
      expect(await statusFrom('none', origin), origin).toBe(401)
      expect(await statusFrom('default', origin), origin).toBe(401)
      expect(await statusFrom('spec', origin), origin).toBe(200)
    }
    for (const id of ['plain', 'none', 'default', 'spec']) {
      expect(await statusFrom(id, 'http://localhost:5173'), id).toBe(200)
    }
  })

  test.each([
    [['create'], 'Name the project: gatefold project create my-site'],
    [['create', 'a b'], '“a b” is not a project id'],
    [
      ['create', 'default'],
      'Project “default” already exists; change it with gatefold project set',
    ],
    [['create', 'x', 'y'], 'Unexpected argument “y”'],
    [['create', 'x', '--origin', 'https://a-*.example'], '--origin: in “https://a-*.example”'],
    [
      ['create', 'x', '--origin', 'my.site/path'],
      '--origin: “my.site/path” has no scheme and has a path (/path); an origin is a scheme, a host and an optional port: https://my.site',
    ],
    [['create', 'x', '--feature', 'swaps=on'], 'unknown feature “swaps”'],
    [
      ['create', 'x', '--feature', 'swap=maybe'],
      'swap cannot be “maybe”; expected on, off, local or a list of 1inch',
    ],
    [['create', 'x', '--analytics', 'yes'], '--analytics is “yes”; expected on or off.'],
    [
      ['create', 'x', '--domain', '*.a.example'],
      '“*.a.example” is not a domain; write example.com',
    ],
    [['set'], 'Name the project: gatefold project set'],
    [
      ['set', 'unknown', '--name', 'x'],
      'Project “unknown” does not exist; create it with gatefold project create unknown.',
    ],
    [['remove'], 'Unknown action “project remove”'],
  ])('error: %j', async (args, message) => {
    const io = { env: environment(), print: () => {} }
    const error = await project(args, io).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(UsageError)
    expect((error as UsageError).message).toContain(message)
  })

  test('error: for an unknown option, the exit code is 2 and no stack is shown', async () => {
    const { code, err } = await gatefold(['project', 'create', '--nam', 'x'])
    expect(code).toBe(2)
    expect(err).toBe("gatefold: Unknown option '--nam'\nTry gatefold help project.\n")
  })
})

test('a project’s domains are normalized', async () => {
  const domains = ['--domain', 'https://Börse.example/', '--domain', 'harbor.example.']
  const { out } = await gatefold(['project', 'create', 'x', ...domains])
  expect(out).toContain('domains   xn--brse-5qa.example harbor.example\n')
})

describe('the zone of a project', () => {
  test('is set, and removed by the word default', async () => {
    const made = await gatefold('project create harbor --zone Harbor.eth'.split(' '))
    expect(made.out).toContain('zone      harbor.eth\n')
    const reset = await gatefold('project set harbor --zone default'.split(' '))
    expect(reset.out).toContain('zone      default\n')
  })

  test.each([
    ['reown.id', 'stands for the zone of the default project'],
    ['eth', 'is not a zone'],
    ['x-.eth', 'is not a zone'],
    ['münchen.eth', 'is not a zone'],
  ])('error: %s', async (zone, message) => {
    const run = project(['create', 'x', '--zone', zone], { env: environment(), print: () => {} })
    await expect(run).rejects.toThrow(message)
    await expect(run).rejects.toBeInstanceOf(UsageError)
  })
})

describe('the names registry', () => {
  async function run(...args: string[]): Promise<string> {
    const printed: string[] = []
    await names(args, { env: environment(), print: (text) => printed.push(text) })
    return printed.join()
  }

  test('has a key, whose address does not change until it is replaced', async () => {
    const address = await run('signer')
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(await run('signer')).toBe(address)
    const next = await run('rotate')
    expect(next).not.toBe(address)
    expect(await run('signer')).toBe(next)
  })

  test('loses a name that the operator removes', async () => {
    const storage = await openStorage({ dataDir })
    const { db } = storage
    const name = { name: 'mira.my-site.eth', zone: 'my-site.eth', owner: '0x1', ownerChain: '' }
    const rest = { addresses: {}, attributes: {}, signedAt: 1, registeredAt: 1 }
    await registerName(db, { ...name, ...rest })
    expect(await run('remove', 'Mira.my-site.eth')).toBe('Mira.my-site.eth is removed.')
    expect(await findName(db, 'mira.my-site.eth')).toBeUndefined()
    expect(await run('remove', 'mira.my-site.eth')).toBe('mira.my-site.eth is not registered.')
    await storage.close()
  })

  test.each([
    [['remove'], 'Pass the name to remove'],
    [['remove', 'a.b', 'c.d'], 'Unexpected argument “c.d”'],
    [['signer', 'x'], 'Unexpected argument “x”'],
    [['toString'], 'Unknown action “names toString”'],
  ])('error: %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })
})

describe('the scam list', () => {
  test('is imported, extended and listed, and domains are removed from it', async () => {
    const file = join(dataDir, 'list.txt')
    writeFileSync(file, '# ours\nphishing.example # seen 2026\r\n\nhttps://Börse.example/login\n')
    await gatefold(['scam', 'import', file])
    await gatefold(['scam', 'add', 'drain.example', 'PHISHING.example'])
    const { out } = await gatefold(['scam', 'list'])
    expect(out).toBe('drain.example\nphishing.example\nxn--brse-5qa.example\n')
    const removed = await gatefold(['scam', 'remove', 'börse.example', 'missing.example'])
    expect(removed.out).toContain('missing.example was not on the list.')
    expect(JSON.parse((await gatefold(['scam', 'list', '--json'])).out)).toEqual([
      'drain.example',
      'phishing.example',
    ])
  })

  test('error: one invalid line rejects the whole file', async () => {
    const file = join(dataDir, 'list.txt')
    writeFileSync(file, 'phishing.example\ntwo words\n')
    const { code, err } = await gatefold(['scam', 'import', file])
    expect([code, err]).toEqual([2, expect.stringContaining('Not domains: “two words”.')])
    expect((await gatefold(['scam', 'list'])).out).toBe('')
  })

  test.each([
    [['add'], 'Name a domain'],
    [['add', '*.example'], 'Not domains: “*.example”.'],
    [['import'], 'Name a file'],
    [['import', './nowhere.txt'], 'Cannot read ./nowhere.txt'],
    [['list', 'x'], 'Unexpected argument “x”'],
    [['drop'], 'Unknown action “scam drop”'],
    [['toString'], 'Unknown action “scam toString”'],
  ])('error: %j', async (args, message) => {
    const run = scam(args, { env: environment(), print: () => {} })
    await expect(run).rejects.toThrow(message)
    await expect(run).rejects.toBeInstanceOf(UsageError)
  })
})

describe('the verify service’s key', () => {
  test('is replaced by `gatefold verify rotate`', async () => {
    const server = await serve()
    const keys = async () => {
      const answer = await fetch(`${server.url}/v3/public-key`)
      return ((await answer.json()) as { keys: unknown[] }).keys
    }
    const before = await keys()
    const { code, out } = await gatefold(['verify', 'rotate'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^The new key signs from 20\S+Z\.\n$/)])
    await expect.poll(keys).toHaveLength(2)
    expect((await keys())[0]).toEqual(before[0])
    const leaked = await gatefold(['verify', 'rotate', '--at-once'])
    expect(leaked.out).toContain('The old keys are deleted.')
    await expect.poll(keys).toHaveLength(1)
    expect((await keys())[0]).not.toEqual(before[0])
  })

  test('error: an unknown action is rejected', async () => {
    const run = verify(['spin'], { env: environment(), print: () => {} })
    await expect(run).rejects.toThrow('Unknown action “verify spin”; use rotate.')
  })
})

describe('serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('stops gracefully on %s', async (signal) => {
    const { child, url, lines } = await serve()
    expect((await fetch(`${url}/health`)).status).toBe(200)
    child.kill(signal)
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
    expect(lines.join('')).toContain('"msg":"stopped"')
  })

  test('stops when its parent process closes the IPC channel', async () => {
    const { child } = await serve()
    child.disconnect()
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
  })

  test('error: all invalid settings are reported together, before anything starts', async () => {
    const { code, err } = await gatefold(['serve', '--port', 'x'], { GATEFOLD_LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(err).toContain('GATEFOLD_PORT is “x”; expected a port from 0 to 65535')
    expect(err).toContain('GATEFOLD_LOG_LEVEL is “loud”; expected one of')
  })

  test('error: the database is unreachable', async () => {
    const { code, err } = await gatefold(['serve', '--port', '0'], {
      DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/x',
    })
    expect(code).toBe(1)
    expect(err).toContain('The PostgreSQL database at DATABASE_URL cannot be used.')
    expect(err).not.toContain('hunter2')
  })

  test('loads only the modules it needs, and caches their compiled code', async () => {
    const listLoaded = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      process.on('message', () => process.send(loaded))
      process.channel.unref()`
    const { child } = await serve(undefined, [
      `--import=data:text/javascript,${encodeURIComponent(listLoaded)}`,
    ])
    child.send('list')
    const [loaded] = (await once(child, 'message')) as [string[]]
    expect(loaded.filter((url) => /node_modules\/(@redis|pg)\//.test(url))).toEqual([])
    // Half of the modules belong to Kysely and to the tracing API that prom-client loads. If Redis is configured, 1,379 are loaded.
    // The schemas of the settings of social logins and smart accounts load the eleven modules that they share with pages.
    expect(loaded.length).toBeLessThan(830)
    const [cache] = readdirSync(join(dataDir, 'compile-cache'))
    expect(readdirSync(join(dataDir, 'compile-cache', cache!)).length).toBeGreaterThan(300)
  })

  test('error: the port is in use', async () => {
    const { port } = await serve()
    const { code, err } = await gatefold(['serve', '--port', String(port)])
    expect([code, err.trim()]).toEqual([
      1,
      `gatefold: Port ${port} is in use. Choose another: --port or GATEFOLD_PORT for the server, GATEFOLD_FRAME_PORT for the secure frame.`,
    ])
  })
})

describe('help', () => {
  test('lists the commands; an unknown command is an error', async () => {
    const help = await gatefold(['--help'])
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('gatefold serve')])
    const unknown = await gatefold(['sevre'])
    expect([unknown.code, unknown.err]).toEqual([
      2,
      'gatefold: Unknown command “sevre”.\nTry gatefold help.\n',
    ])
  })

  test.each([
    ['serve', 'GATEFOLD_RPC_URLS'],
    ['project', '--default-origins'],
    ['doctor', '--url'],
    ['backup', 'gatefold backup open FILE'],
    ['scam', 'gatefold scam import FILE'],
    ['sponsor', '--user-day'],
    ['verify', '--at-once'],
  ])('of %s has options, and examples that use known options', async (command, option) => {
    const page = await gatefold(['help', command])
    expect(await gatefold([command, '--help'])).toEqual(page)
    expect(page.out).toContain(option)
    const [, examples = ''] = page.out.split('\nExamples:\n\n')
    const lines = examples.split('\n\n')[0]!.trim().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line.trim()).toMatch(new RegExp(`^gatefold ${command}\\b`))
  })

  test('the examples succeed if they are run in order', async () => {
    const chain = await startUpstream({ chainId: 31_337 })
    const env = { GATEFOLD_RPC_URLS: JSON.stringify({ 'eip155:31337': [chain.url] }) }
    const examples = ['project', 'scam', 'sponsor', 'verify', 'doctor'].flatMap((command) =>
      helpOf(command)
        .split('\nExamples:\n\n')[1]!
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.includes('gate.my.site')),
    )
    for (const line of examples) {
      const args = line.replaceAll("'", '').split(' ').slice(1)
      expect(await gatefold(args, env), line).toMatchObject({ code: 0, err: '' })
    }
    await chain.stop()
  })
})

describe('gatefold sponsor', () => {
  const io = () => {
    const lines: string[] = []
    return { lines, env: environment(), print: (text: string) => void lines.push(text) }
  }

  test('creates, changes, shows and stops the policy of a project', async () => {
    const limits = ['--user-day', '0.01', '--day', '1', '--total', '30']
    const book = '0x4161aE4dEb08C0255E10315fa8b3f6115a2cf1B4'
    const created = io()
    await sponsor(
      ['set', 'default', '--contract', book, '--method', 'mint(address,uint256)', ...limits],
      created,
    )
    expect(created.lines[0]).toBe(
      [
        'default',
        `  contracts ${book}`,
        '  methods   0x40c10f19',
        '  limits    0.01 for each user in a day, 1 in a day, 30 in total',
      ].join('\n'),
    )
    const changed = io()
    await sponsor(['set', 'default', '--contract', 'any', '--total', '60', '--json'], changed)
    expect(JSON.parse(changed.lines[0]!)).toEqual({
      policy: {
        contracts: [],
        methods: ['0x40c10f19'],
        userDayGwei: 10_000_000,
        dayGwei: 1_000_000_000,
        totalGwei: 60_000_000_000,
      },
      spent: [],
    })
    const stopped = io()
    await sponsor(['stop', 'default'], stopped)
    await sponsor(['show', 'default'], stopped)
    expect(stopped.lines).toEqual(['Stopped: default', 'default sponsors nothing.'])
  })

  test.each([
    [['set', 'default', '--total', '1'], /Name the contracts/],
    [['set', 'default', '--contract', 'any', '--total', '1'], /--user-day 0.01/],
    [['set', 'default', '--contract', 'book'], /“book” is not an address/],
    [['set', 'default', '--contract', 'any', '--method', 'mint'], /not a method/],
    [['set', 'default', '--contract', 'any', '--user-day', 'lots'], /expected an amount/],
    [['show', 'nobody'], /There is no project “nobody”/],
    [['set'], /Name the project/],
  ])('error: %j', async (args, text) => {
    await expect(sponsor(args, io())).rejects.toThrow(text)
  })
})

describe('the command in package.json', () => {
  const launch = join(import.meta.dirname, '../launch.mjs')
  const run = promisify(execFile)

  test('works in a checkout that was not built, from any folder', async () => {
    const options = { cwd: dataDir, env: environment() }
    const args = [launch, 'project', 'create', 'my-site', '--origin', 'https://my.site']
    expect((await run(process.execPath, args, options)).stdout).toContain('https://my.site')
  })

  test('keeps its pid, so that a service manager can stop the server', async () => {
    const child = spawn(process.execPath, [launch, 'serve', '--port', '0'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { port } = JSON.parse(line.toString()) as { port: number }
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(((await once(child, 'exit')) as [number])[0]).toBe(0)
  })

  test.each([
    [launch, '20.20.2', 'The server needs Node.js 22.22 or newer, but this is 20.20.2.'],
    [launch, '22.21.9', 'The server needs Node.js 22.22 or newer, but this is 22.21.9.'],
    [
      join(import.meta.dirname, '../../../../scripts/run.mjs'),
      '16.20.2',
      'The npm scripts need Node.js 18 or newer, but this is 16.20.2.',
    ],
  ])('error: the message for an old Node.js is one line: %s on %s', async (file, version, text) => {
    const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`
    const failed = await run(process.execPath, ['--import', pretend, file, 'serve']).then(
      () => undefined,
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    expect([failed?.code, failed?.stdout]).toEqual([1, ''])
    expect(failed?.stderr).toMatch(/^gatefold: [^\n]*https:\/\/nodejs\.org[^\n]*\n$/)
    expect(failed?.stderr).toContain(text)
  })
})
