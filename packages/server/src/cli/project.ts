import { parseArgs } from 'node:util'
import { recoveryMethods, type RecoveryMethod } from '@gatefold/protocol/frame'
import {
  featureIds,
  featureOptions,
  officialZone,
  originPatternProblem,
  type FeatureId,
} from '@gatefold/protocol/gateway'
import { readConfig } from '../config.ts'
import { openStorage, type Storage } from '../storage/openStorage.ts'
import {
  ensureDefaultProject,
  findProject,
  listProjects,
  saveProject,
  defaultFeatureState,
  type FeatureState,
  type Project,
  isProjectId,
} from '../storage/projects.ts'
import { toDomain } from '../verify/domains.ts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

const options = {
  name: { type: 'string' },
  origin: { type: 'string', multiple: true },
  'default-origins': { type: 'string' },
  feature: { type: 'string', multiple: true },
  domain: { type: 'string', multiple: true },
  zone: { type: 'string' },
  analytics: { type: 'string' },
  'confirm-devices': { type: 'string' },
  recovery: { type: 'string' },
  'passkey-login': { type: 'string' },
  active: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * `gatefold project create|set|list`. A running server applies a change within seconds.
 *
 * @throws {UsageError} for wrong arguments.
 */
export async function project(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action, id, ...rest] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('project'))
    return
  }
  if (rest.length > 0) throw new UsageError(`Unexpected argument “${rest[0]}”.`)
  const storage = await openStorage(readConfig(io.env))
  try {
    await ensureDefaultProject(storage.db, Date.now())
    if (action === 'list') await list(storage, values.json ?? false, io)
    else if (action === 'create') await create(storage, values, id, io)
    else if (action === 'set') await set(storage, values, id, io)
    else throw new UsageError(`Unknown action “project ${action}”; use create, set or list.`)
  } finally {
    await storage.close()
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

async function list({ db }: Storage, asJson: boolean, { print }: Io) {
  const projects = await listProjects(db)
  if (asJson) {
    print(JSON.stringify(projects, null, 2))
    return
  }
  for (const project of projects) print(describe(project))
}

async function create({ db }: Storage, values: Values, id: string | undefined, { print }: Io) {
  if (id === undefined)
    throw new UsageError(
      'Name the project: gatefold project create my-site --origin https://my.site',
    )
  if (!isProjectId(id))
    throw new UsageError(`“${id}” is not a project id; use 1 to 64 letters, digits, - and _.`)
  if (await findProject(db, id))
    throw new UsageError(
      `Project “${id}” already exists; change it with gatefold project set ${id}.`,
    )
  const now = Date.now()
  const empty: Project = {
    id,
    name: id,
    allowedOrigins: [],
    // Anyone can publish a page on the hosts of the default origins. See docs/operators.md#projects.
    defaultOrigins: false,
    features: {},
    domains: [],
    zone: null,
    analytics: true,
    confirmDevices: false,
    recovery: recoveryMethods,
    passkeyLogin: false,
    active: true,
    createdAt: now,
  }
  const project = withValues(empty, values)
  await saveProject(db, project, now)
  print(describe(project))
}

async function set({ db }: Storage, values: Values, id: string | undefined, { print }: Io) {
  if (id === undefined)
    throw new UsageError('Name the project: gatefold project set my-site --origin https://my.site')
  const known = await findProject(db, id)
  if (!known)
    throw new UsageError(
      `Project “${id}” does not exist; create it with gatefold project create ${id}.`,
    )
  const project = withValues(known, values)
  await saveProject(db, project, Date.now())
  print(describe(project))
}

function withValues(project: Project, values: Values): Project {
  for (const origin of values.origin ?? []) {
    const problem = originPatternProblem(origin)
    if (problem) throw new UsageError(`--origin: ${problem}.`)
  }
  return {
    ...project,
    name: values.name ?? project.name,
    allowedOrigins: values.origin ?? project.allowedOrigins,
    defaultOrigins: onOff('default-origins', values['default-origins']) ?? project.defaultOrigins,
    features: {
      ...project.features,
      ...Object.fromEntries((values.feature ?? []).map(readFeature)),
    },
    domains: values.domain?.map(readDomain) ?? project.domains,
    zone: values.zone === undefined ? project.zone : readZone(values.zone),
    analytics: onOff('analytics', values.analytics) ?? project.analytics,
    confirmDevices: onOff('confirm-devices', values['confirm-devices']) ?? project.confirmDevices,
    recovery: values.recovery === undefined ? project.recovery : readRecovery(values.recovery),
    passkeyLogin: onOff('passkey-login', values['passkey-login']) ?? project.passkeyLogin,
    active: onOff('active', values.active) ?? project.active,
  }
}

function onOff(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text !== 'on' && text !== 'off')
    throw new UsageError(`--${name} is “${text}”; expected on or off.`)
  return text === 'on'
}

function readRecovery(text: string): RecoveryMethod[] {
  const chosen = text.split(',').filter(Boolean)
  const methods = recoveryMethods.filter((method) => chosen.includes(method))
  if (methods.length === 0 || methods.length !== chosen.length)
    throw new UsageError(
      `--recovery: “${text}” is not a list of methods; expected some of ${recoveryMethods.join(', ')}.`,
    )
  return methods
}

function readDomain(text: string): string {
  const domain = toDomain(text)
  if (domain === undefined)
    throw new UsageError(
      `--domain: “${text}” is not a domain; write example.com, which includes its subdomains.`,
    )
  return domain
}

/** A zone, or `null` for the word `default`. */
function readZone(text: string): string | null {
  if (text === 'default') return null
  const zone = text.toLowerCase()
  if (zone === officialZone)
    throw new UsageError(
      `--zone: ${officialZone} stands for the zone of the default project, because official clients write it; choose another zone.`,
    )
  if (zone.length > 150 || !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/.test(zone))
    throw new UsageError(
      `--zone: “${text}” is not a zone; write a name with a dot, such as my-site.eth, or default.`,
    )
  return zone
}

function readFeature(text: string): [FeatureId, FeatureState] {
  const [id = '', state = ''] = text.split('=')
  if (!isFeature(id))
    throw new UsageError(
      `--feature: unknown feature “${id}”; expected one of ${featureIds.join(', ')}.`,
    )
  if (state === 'off' || state === 'local') return [id, state]
  if (state === 'on') return [id, featureOptions[id]]
  const known: readonly string[] = featureOptions[id]
  const chosen = state.split(',').filter(Boolean)
  const unknown = chosen.find((option) => !known.includes(option))
  if (chosen.length === 0 || unknown !== undefined)
    throw new UsageError(
      `--feature: ${id} cannot be “${state}”; expected on, off, local${known.length > 0 ? ` or a list of ${known.join(', ')}` : ''}.`,
    )
  return [id, chosen]
}

function isFeature(id: string): id is FeatureId {
  return Object.hasOwn(featureOptions, id)
}

function describe(project: Project): string {
  const features = featureIds.map((id) => {
    const state = project.features[id] ?? defaultFeatureState(id)
    return `${id}=${typeof state === 'string' ? state : state.join(',') || 'on'}`
  })
  return [
    `${project.id}  ${project.name}${project.active ? '' : '  (not active)'}`,
    `  origins   ${[...project.allowedOrigins, ...(project.defaultOrigins ? ['(and the default origins)'] : [])].join(' ') || 'none'}`,
    `  features  ${features.join(' ')}`,
    `  domains   ${project.domains.join(' ') || 'none'}`,
    `  zone      ${project.zone ?? 'default'}`,
    `  analytics ${project.analytics ? 'on' : 'off'}`,
    `  recovery  ${project.recovery.join(' ')}`,
    ...(project.passkeyLogin ? ['  passkeys  can log in'] : []),
    ...(project.confirmDevices ? ['  devices   confirmed by email'] : []),
  ].join('\n')
}
